internal import MariaDB
internal import PHPSemantics
internal import Photos

/// Takes the photo out of a form while its body arrives, into a file in the upload folder.
///
/// Of several files the last one named `file` counts, as in PHP; only if there is none of that name, the last of
/// any other. For a visitor who is not logged in nothing is written, since nothing of it would be used.
struct UploadReceiver: FormFileReceiver {
    /// What has become of the form's photo.
    enum Outcome {
        /// The form has no file.
        case none
        /// The photo is on disk, unchecked.
        case received(TemporaryFile)
        /// Something was wrong with it on its way here: broken off, too long, or several under one name.
        case malformed
        /// It could not be written.
        case notStored(PhotoError)
    }

    private let visitor: Visitor
    private let uploads: UploadDirectory
    private let database: Database
    /// The last file named `file`, and the last of another name.
    private var named: Outcome?
    private var other: Outcome?
    /// Who is logged in; read from the session when the first file begins.
    private var user: Result<Int64?, SessionError>?
    /// The file that is arriving; it has no outcome before its first byte.
    private var current: (isNamed: Bool, outcome: Outcome?)?

    init(visitor: Visitor, uploads: UploadDirectory, database: Database) {
        self.visitor = visitor
        self.uploads = uploads
        self.database = database
    }

    /// The photo of the whole form.
    var outcome: Outcome {
        named ?? other ?? .none
    }

    mutating func beginFile(_ part: FilePart) {
        let isNamed = part.name == Array("file".utf8)
        // The previous candidate gives up its space before the next one takes any.
        if isNamed {
            named = nil
        } else {
            other = nil
        }
        current = (isNamed, isNamed && part.isArray ? .malformed : nil)
    }

    mutating func fileBytes(_ bytes: Span<UInt8>) {
        guard let isNamed = current?.isNamed else {
            return
        }
        // A form may announce a thousand files that have no content.
        let outcome = current?.outcome ?? begin()
        current = (isNamed, outcome)
        guard case .received(let file) = outcome else {
            return
        }
        do throws(PhotoError) {
            let start = ContinuousClock.now
            defer { visitor.trace.add(ContinuousClock.now - start, to: .disk) }
            try file.write(bytes)
        } catch {
            current = (isNamed, .notStored(error))
        }
    }

    mutating func endFile(_ status: UploadStatus) {
        guard let (isNamed, outcome) = current else {
            return
        }
        let final = status == .ok ? outcome ?? .malformed : .malformed
        if isNamed {
            named = final
        } else {
            other = final
        }
        current = nil
    }

    /// The user who is logged in; nil for nobody.
    ///
    /// The session is read once, however often this is asked.
    ///
    /// - Throws: `SessionError.database` if that cannot be told.
    mutating func loggedInUser() throws(SessionError) -> Int64? {
        if let user {
            return try user.get()
        }
        let found = Result { () throws(SessionError) in try visitor.loggedInUser(database) }
        user = found
        return try found.get()
    }

    private mutating func begin() -> Outcome {
        guard case .some(.some) = try? loggedInUser() else {
            return .none
        }
        do throws(PhotoError) {
            return .received(try uploads.makeTemporary())
        } catch {
            return .notStored(error)
        }
    }
}
