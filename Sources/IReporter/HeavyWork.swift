internal import FastCGI

/// What is left to do of a request after it was read.
public enum HeavyWork: Sendable {
    /// The newest photos are to be listed, together with all others who ask for them at this moment.
    case newestPhotos
    /// A photo is to be checked and stored.
    case upload(PendingUpload)
    /// A password is to be hashed, or a log-in to be looked up together with others.
    case credentials(PendingCredentials)
}

/// The numbers of the gatherings in which requests wait to be answered together.
enum SharedWork: Int, CaseIterable {
    /// Those who ask for the newest photos.
    case newestPhotos
    /// Log-ins whose passwords are not hashed.
    case logIns

    /// How they are gathered.
    var rule: GatheringRule {
        switch self {
        case .newestPhotos: .everyone
        case .logIns: .groups(of: Accounts.groupLimit)
        }
    }
}
