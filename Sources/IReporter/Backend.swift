internal import FastCGI
public import MariaDB
internal import PHPSemantics
internal import Photos

/// The tutorial's backend: reads a request, finds its command, and answers it.
///
/// `ObservedBackend` makes a FastCGI application of it.
public struct Backend: Sendable {
    let settings: Settings
    let sessions: SessionStore
    let uploads: UploadDirectory
    let unsettled = UnsettledUploads()
    let tables = TableTraits()
    let preparer: PhotoPreparer
    let limiter: AttemptLimiter
    let keys: APIKeys
    let passwordColumn = PasswordColumnCheck()
    let keptStream = KeptStream()

    /// Opens the folders that the backend works in.
    ///
    /// - Throws: `SessionError` or `PhotoError` if one of them cannot be used.
    public init(settings: Settings) throws {
        self.settings = settings
        preparer = settings.makePreparer()
        limiter = AttemptLimiter(settings.attempts)
        keys = APIKeys(settings.apiKeys, reason: settings.apiKeyReason)
        sessions = try SessionStore(settings)
        uploads = try UploadDirectory(
            path: settings.uploadDirectory,
            mode: settings.uploadMode,
            group: settings.uploadGroup
        )
    }

    /// What one thread keeps: its connection to the database, opened when first needed.
    public func makeWorker() -> Database {
        Database(settings.database)
    }

    /// Reads a request and answers it; what is heavy is left to the heavy lane, an upload once its file is on disk.
    func receive(_ request: borrowing Request, _ database: Database, _ trace: RequestTrace) -> Verdict<HeavyWork> {
        guard request.parameter("REQUEST_METHOD") == Array("POST".utf8) else {
            return request.readBody { _ in false } ? .reply(replyWithoutForm(request, trace)) : .abandoned
        }
        let cookieMaxAge = settings.sessionCookieMaxAge
        let visitor = Visitor(request, sessions: sessions, cookieMaxAge: cookieMaxAge, trace: trace)
        var files = UploadReceiver(visitor: visitor, uploads: uploads, database: database)
        var parser = FormParser(contentType: request.parameter("CONTENT_TYPE"), limits: settings.form)
        if parser.mayHaveFiles && !visitor.readsSessionPromptly {
            request.willWait()
        }
        let isWhole = request.readBody { bytes in
            parser.push(bytes, files: &files)
            return true
        }
        guard isWhole else {
            return .abandoned
        }
        let form = parser.finish(files: &files)
        let endpoint = Endpoint(scriptName: request.parameter("SCRIPT_NAME"))
        trace.kind = RequestKind(endpoint, command: form.string("command"))
        if let refusal = keys.refusal(of: form) {
            trace.outcome = .refused
            return .reply(refusal)
        }
        switch endpoint {
        case .commands:
            if form.outcome == .tooLarge {
                trace.refuse(.tooLarge)
                return .reply(Reply.error("Upload malfunction"))
            }
            return run(form, visitor, &files, database, request)
        case .pairSignUp:
            return runPair(.pairSignUp, form, visitor)
        case .pairLogIn:
            return runPair(.pairLogIn, form, visitor)
        }
    }

    /// Does what a request has waited for in the heavy lane.
    func perform(_ work: HeavyWork, _ database: Database) -> Response {
        switch work {
        case .newestPhotos:
            newestPhotos(database)
        case .upload(let upload):
            UploadCommand(preparer: preparer, row: photoRow(database, upload.visitor.trace)).store(upload)
        case .credentials(let pending):
            answer(pending, database)
        }
    }

    /// Does what requests have in common that have waited to be answered together, and returns what answers each.
    func perform(_ group: [HeavyWork], _ database: Database) -> (_ place: Int) -> Response {
        let logIns = group.compactMap { work in
            if case .credentials(let pending) = work { pending } else { nil }
        }
        guard logIns.count == group.count else {
            let response = newestPhotos(database)
            return { _ in response }
        }
        return credentialsCommand(database).logIn(logIns)
    }

    /// Answers a request whose turn has not come.
    func decline(_ work: HeavyWork) -> Response {
        switch work {
        case .newestPhotos:
            return Reply.error("Photo stream is broken")
        case .upload(let upload):
            LogEntry(upload).write("declined, too much is waiting")
            return Reply.error("Upload on server problem")
        case .credentials(let pending):
            returnPermit(of: work)
            LogEntry(pending).write("declined, too much is waiting")
            return busy(pending.kind)
        }
    }

    /// Gives up a request whose client has left.
    func abandon(_ work: HeavyWork) {
        returnPermit(of: work)
    }

    /// Counts no attempt for a password that was not tried.
    private func returnPermit(of work: HeavyWork) {
        if case .credentials(let pending) = work {
            pending.conclude(nil, limiter)
        }
    }

    /// The switch over the field `command`.
    private func run(
        _ form: Form,
        _ visitor: Visitor,
        _ files: inout UploadReceiver,
        _ database: Database,
        _ request: borrowing Request
    ) -> Verdict<HeavyWork> {
        visitor.keepSession()
        switch form.string("command").map({ String(decoding: $0, as: UTF8.self) }) {
        case "register":
            return credentials(.register, form, visitor, database, request)
        case "login":
            return credentials(.login, form, visitor, database, request)
        case "upload":
            if !visitor.readsSessionPromptly {
                request.willWait()
            }
            return UploadCommand.accept(form, visitor, &files)
        case "stream":
            return stream(form, database, request)
        case "logout":
            request.willWait()
            return logOut(visitor, database)
        default:
            return .reply(Reply.empty)
        }
    }

    /// What stores photos; `trace` is of the request that it is for.
    func photoRow(_ database: Database, _ trace: RequestTrace? = nil) -> PhotoRow {
        PhotoRow(database: database, uploads: uploads, unsettled: unsettled, tables: tables, trace: trace)
    }

    private func logOut(_ visitor: Visitor, _ database: Database) -> Verdict<HeavyWork> {
        do throws(SessionError) {
            try visitor.endSession(database)
            return .reply(Reply.empty)
        } catch {
            visitor.trace.outcome = .failed
            LogEntry("logout", visitor, account: []).write("\(error)")
            return .reply(Reply.error("Database error"))
        }
    }

    private func stream(
        _ form: Form,
        _ database: Database,
        _ request: borrowing Request
    ) -> Verdict<HeavyWork> {
        let photo = StreamCommand.wantedPhoto(form)
        if photo == nil && settings.keepsStream {
            return .shared(.newestPhotos, gathering: SharedWork.newestPhotos.rawValue)
        }
        request.willWait()
        let command = StreamCommand(database: database)
        return .reply(photo.map { command.photo($0) } ?? command.newest())
    }

    private func newestPhotos(_ database: Database) -> Response {
        StreamCommand(database: database).newest(keptIn: keptStream)
    }

    private func credentials(
        _ kind: PendingCredentials.Kind,
        _ form: Form,
        _ visitor: Visitor,
        _ database: Database,
        _ request: borrowing Request
    ) -> Verdict<HeavyWork> {
        let credentials = Credentials(form)
        guard !credentials.areTooLong else {
            return .reply(Reply.error(kind == .register ? "Registration failed" : "Authorization failed"))
        }
        guard let pending = PendingCredentials(kind, credentials, visitor, limiter) else {
            return .reply(Reply.tooManyAttempts)
        }
        // Only hashing is heavy.
        guard settings.storesPlainPasswords else {
            return .heavy(.credentials(pending))
        }
        if kind == .login, Accounts.areLookedUpTogether(pending.credentials), visitor.beginsSessionPromptly {
            return .shared(.credentials(pending), gathering: SharedWork.logIns.rawValue)
        }
        request.willWait()
        return .reply(answer(pending, database))
    }

    private func runPair(
        _ kind: PendingCredentials.Kind,
        _ form: Form,
        _ visitor: Visitor
    ) -> Verdict<HeavyWork> {
        if let complaint = PairEndpoint.complaint(form, for: kind) {
            return .reply(complaint)
        }
        let credentials = PairEndpoint.credentials(form)
        guard !credentials.areTooLong else {
            return .reply(kind == .pairSignUp ? PairReply.databaseError : PairReply.wrongCredentials)
        }
        guard let pending = PendingCredentials(kind, credentials, visitor, limiter) else {
            return .reply(PairReply.tooManyAttempts)
        }
        return .heavy(.credentials(pending))
    }

    private func answer(_ pending: PendingCredentials, _ database: Database) -> Response {
        switch pending.kind {
        case .register: return credentialsCommand(database).register(pending)
        case .login: return credentialsCommand(database).logIn(pending)
        case .pairSignUp, .pairLogIn:
            let storage: PasswordPolicy.Storage = settings.storesPlainPasswords ? .hashedBesidePlain : .hashed
            let policy = PasswordPolicy(parameters: settings.scrypt, storage: storage)
            let endpoint = PairEndpoint(
                accounts: Accounts(database: database, policy: policy, tables: tables),
                limiter: limiter,
                column: passwordColumn
            )
            return pending.kind == .pairSignUp ? endpoint.signUp(pending) : endpoint.logIn(pending)
        }
    }

    private func credentialsCommand(_ database: Database) -> CredentialsCommand {
        let storage: PasswordPolicy.Storage = settings.storesPlainPasswords ? .plain : .hashed
        let policy = PasswordPolicy(parameters: settings.scrypt, storage: storage)
        let accounts = Accounts(database: database, policy: policy, tables: tables)
        return CredentialsCommand(accounts: accounts, limiter: limiter)
    }

    private func busy(_ kind: PendingCredentials.Kind) -> Response {
        let message: StaticString = "The server is busy. Try again later."
        switch kind {
        case .register, .login: return Reply.error("\(message)")
        case .pairSignUp, .pairLogIn: return PairReply.failure(message)
        }
    }

    /// The reply to a request that sends no form, and so can bring no key either.
    private func replyWithoutForm(_ request: borrowing Request, _ trace: RequestTrace) -> Response {
        if let refusal = keys.refusal(of: Form()) {
            trace.outcome = .refused
            return refusal
        }
        let endpoint = Endpoint(scriptName: request.parameter("SCRIPT_NAME"))
        return endpoint == .commands ? Reply.empty : PairReply.invalidData
    }
}

extension Form {
    /// A text field as the commands use it: decoded once more, as the original's `query()` did; a missing field
    /// is empty.
    func text(_ name: String) -> [UInt8] {
        URLCoding.decode(string(name) ?? [])
    }
}
