public import FastCGI
public import MariaDB
internal import PHPSemantics
internal import Photos

/// The tutorial's backend as a FastCGI application: reads a request, finds its command, and answers it.
public struct Backend: Application {
    let settings: Settings
    let sessions: FileSessionStore
    let uploads: UploadDirectory
    let unsettled = UnsettledUploads()

    /// Opens the folders that the backend works in.
    ///
    /// - Throws: `SessionError` or `PhotoError` if one of them cannot be used.
    public init(settings: Settings) throws {
        self.settings = settings
        sessions = try FileSessionStore(directory: settings.sessionDirectory, lifetime: settings.sessionLifetime)
        uploads = try UploadDirectory(path: settings.uploadDirectory)
    }

    /// What one thread keeps: its connection to the database, opened when first needed.
    public func makeWorker() -> Database {
        Database(settings.database)
    }

    /// Reads a request and answers it; an upload is left to the heavy lane once its file is on disk.
    public func receive(_ request: borrowing Request, _ database: Database) -> Verdict<PendingUpload> {
        guard request.parameter("REQUEST_METHOD") == Array("POST".utf8) else {
            return request.readBody { _ in false } ? .reply(Reply.empty) : .abandoned
        }
        let visitor = Visitor(request, sessions: sessions)
        var files = UploadReceiver(visitor: visitor, uploads: uploads)
        var parser = FormParser(contentType: request.parameter("CONTENT_TYPE"), limits: settings.form)
        let isWhole = request.readBody { bytes in
            parser.push(bytes, files: &files)
            return true
        }
        guard isWhole else {
            return .abandoned
        }
        let form = parser.finish(files: &files)
        if form.outcome == .tooLarge {
            return .reply(Reply.error("Upload malfunction"))
        }
        return run(form, visitor, files, database)
    }

    /// Stores an upload and answers it.
    public func perform(_ upload: PendingUpload, _ database: Database) -> Response {
        UploadCommand(settings: settings, uploads: uploads, unsettled: unsettled, database: database).store(upload)
    }

    /// Answers an upload whose turn has not come.
    public func decline(_ upload: PendingUpload) -> Response {
        Log.write("upload: declined, too many are waiting")
        return Reply.error("Upload on server problem")
    }

    /// What is to be done now and then beside the requests, by one thread: sessions that have ended are removed,
    /// and uploads in doubt are settled.
    ///
    /// - Parameter database: that thread's connection.
    public func keepHouse(_ database: Database) {
        sessions.removeEnded()
        unsettled.settle(database, in: uploads)
    }

    /// The switch over the field `command`.
    private func run(
        _ form: Form,
        _ visitor: Visitor,
        _ files: UploadReceiver,
        _ database: Database
    ) -> Verdict<PendingUpload> {
        visitor.keepSession()
        switch form.string("command").map({ String(decoding: $0, as: UTF8.self) }) {
        case "register":
            return .reply(RegisterCommand(accounts: Accounts(database), visitor: visitor).run(form))
        case "login":
            return .reply(LoginCommand(accounts: Accounts(database), visitor: visitor).run(form))
        case "upload":
            return UploadCommand.accept(form, visitor, files)
        case "stream":
            return .reply(StreamCommand(database: database).run(form))
        case "logout":
            visitor.endSession()
            return .reply(Reply.empty)
        default:
            return .reply(Reply.empty)
        }
    }
}

extension Form {
    /// A text field as the commands use it: decoded once more, as the original's `query()` did; a missing field
    /// is empty.
    func text(_ name: String) -> [UInt8] {
        URLCoding.decode(string(name) ?? [])
    }
}
