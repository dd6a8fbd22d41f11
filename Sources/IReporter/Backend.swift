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
    let limiter: AttemptLimiter
    let keptStream = KeptStream()

    /// Opens the folders that the backend works in.
    ///
    /// - Throws: `SessionError` or `PhotoError` if one of them cannot be used.
    public init(settings: Settings) throws {
        self.settings = settings
        limiter = AttemptLimiter(settings.attempts)
        sessions = try FileSessionStore(directory: settings.sessionDirectory, lifetime: settings.sessionLifetime)
        uploads = try UploadDirectory(path: settings.uploadDirectory)
    }

    /// Checks that passwords can be stored as configured, as far as the database answers already.
    ///
    /// - Throws: `PasswordColumnTooNarrow`, since hashes that are cut off would lock everyone out.
    public func checkPasswordColumn() throws(PasswordColumnTooNarrow) {
        guard settings.scrypt != nil else {
            return
        }
        var configuration = settings.database
        configuration.outagePatience = .zero
        let width: Int64?
        do throws(DatabaseError) {
            width = try PasswordColumn(Database(configuration)).width
        } catch {
            Log.write("the database does not answer yet: \(error)")
            return
        }
        if let width, width < PasswordColumn.hashLength {
            throw PasswordColumnTooNarrow(width: width)
        }
    }

    /// What one thread keeps: its connection to the database, opened when first needed.
    public func makeWorker() -> Database {
        Database(settings.database)
    }

    /// Reads a request and answers it; an upload is left to the heavy lane once its file is on disk.
    public func receive(_ request: borrowing Request, _ database: Database) -> Verdict<HeavyWork> {
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
        return run(form, visitor, &files, database)
    }

    /// Answers everyone who asks for the newest photos at this moment.
    public func answerShared(_ database: Database) -> Response {
        StreamCommand(database: database).newest(keptIn: keptStream)
    }

    /// Does what a request has waited for in the heavy lane.
    public func perform(_ work: HeavyWork, _ database: Database) -> Response {
        switch work {
        case .upload(let upload):
            UploadCommand(settings: settings, uploads: uploads, unsettled: unsettled, database: database).store(upload)
        case .credentials(let pending):
            CredentialsCommand(accounts: accounts(database), limiter: limiter).run(pending)
        }
    }

    /// Answers a request whose turn has not come.
    public func decline(_ work: HeavyWork) -> Response {
        switch work {
        case .upload(let upload):
            LogEntry(upload).write("declined, too much is waiting")
            return Reply.error("Upload on server problem")
        case .credentials(let pending):
            pending.permit.map { limiter.returnPermit($0, provedOwner: false) }
            LogEntry(pending).write("declined, too much is waiting")
            return Reply.error("The server is busy. Try again later.")
        }
    }

    private func accounts(_ database: Database) -> Accounts {
        Accounts(database: database, policy: PasswordPolicy(scrypt: settings.scrypt))
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
        _ files: inout UploadReceiver,
        _ database: Database
    ) -> Verdict<HeavyWork> {
        visitor.keepSession()
        switch form.string("command").map({ String(decoding: $0, as: UTF8.self) }) {
        case "register":
            return credentials(.register, form, visitor, database)
        case "login":
            return credentials(.login, form, visitor, database)
        case "upload":
            return UploadCommand.accept(form, visitor, &files)
        case "stream":
            return stream(form, database)
        case "logout":
            visitor.endSession()
            return .reply(Reply.empty)
        default:
            return .reply(Reply.empty)
        }
    }

    private func stream(_ form: Form, _ database: Database) -> Verdict<HeavyWork> {
        if let photo = StreamCommand.wantedPhoto(form) {
            return .reply(StreamCommand(database: database).photo(photo))
        }
        return settings.keepsStream ? .shared : .reply(StreamCommand(database: database).newest())
    }

    private func credentials(
        _ kind: PendingCredentials.Kind,
        _ form: Form,
        _ visitor: Visitor,
        _ database: Database
    ) -> Verdict<HeavyWork> {
        guard let pending = CredentialsCommand.begin(kind, form, visitor, limiter) else {
            LogEntry(kind.rawValue, visitor, account: form.text("username")).write("too many attempts")
            return .reply(Reply.error("Too many attempts. Try again later."))
        }
        // Only hashing is heavy.
        guard settings.scrypt == nil else {
            return .heavy(.credentials(pending))
        }
        return .reply(CredentialsCommand(accounts: accounts(database), limiter: limiter).run(pending))
    }
}

extension Form {
    /// A text field as the commands use it: decoded once more, as the original's `query()` did; a missing field
    /// is empty.
    func text(_ name: String) -> [UInt8] {
        URLCoding.decode(string(name) ?? [])
    }
}
