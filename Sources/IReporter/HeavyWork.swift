internal import FastCGI

/// What is left to do of a request when its turn in the heavy lane comes.
public enum HeavyWork: Sendable {
    /// The newest photos are to be listed, together with all others who ask for them at this moment.
    case newestPhotos
    /// A photo is to be checked and stored.
    case upload(PendingUpload)
    /// A password is to be hashed.
    case credentials(PendingCredentials)
}
