// The words in which the cases are written.

extension ContractRequest {
    /// A urlencoded POST.
    static func form(_ fields: KeyValuePairs<String, Template>) -> ContractRequest {
        var request = ContractRequest()
        request.body = .form(fields.map { (name: $0.key, value: $0.value) })
        return request
    }

    /// A POST whose body is given as it is.
    static func raw(
        _ body: Template,
        type: String? = "application/x-www-form-urlencoded"
    ) -> ContractRequest {
        var request = ContractRequest()
        request.body = .raw(type: type, body)
        return request
    }

    /// A multipart POST.
    static func multipart(_ multipart: Multipart) -> ContractRequest {
        var request = ContractRequest()
        request.body = .multipart(multipart)
        return request
    }

    /// A multipart POST with ordinary framing.
    static func parts(_ parts: Multipart.Part...) -> ContractRequest {
        multipart(Multipart(parts: parts))
    }

    /// A GET of a file beside the backend.
    static func get(_ path: Template) -> ContractRequest {
        var request = ContractRequest()
        request.method = "GET"
        request.path = path
        return request
    }

    /// The request with something changed.
    func with(_ change: (inout ContractRequest) -> Void) -> ContractRequest {
        var copy = self
        change(&copy)
        return copy
    }

    /// A registration, urlencoded.
    static func register(_ name: Template, _ password: Template) -> ContractRequest {
        .form(["command": "register", "username": name, "password": password])
    }

    /// A log-in, urlencoded.
    static func login(_ name: Template, _ password: Template) -> ContractRequest {
        .form(["command": "login", "username": name, "password": password])
    }

    /// An upload as the iPhone client sends it.
    static func upload(_ title: Template, _ photo: [UInt8] = Sample.baseline) -> ContractRequest {
        .parts(.field("command", "upload"), .field("title", title), .file("file", photo))
    }

    /// An upload with an empty file name, which fails after the check of the session and before anything is stored.
    static let uploadOfNothing = ContractRequest.parts(
        .field("command", "upload"),
        .file("file", [], filename: "")
    )

    /// The list of photos, as the iPhone client asks for it.
    static let stream = ContractRequest.parts(.field("command", "stream"))
}

extension Step {
    /// Registers the case's `bob` with the password `secret`; the id becomes known as `bob`.
    static let registerBob = Step(.register("\(name: "bob")", "secret"), .account("bob", "\(name: "bob")"))

    /// An upload that succeeds.
    static func upload(_ title: Template, _ photo: [UInt8] = Sample.baseline) -> Step {
        Step(.upload(title, photo), .successful)
    }

    /// Finds a photo of `bob` in the list: its id becomes known as `photo`.
    static func find(_ title: Template, _ photo: String = "photo") -> Step {
        Step(.stream, .api(.photoList(containing: ReplyRule.row(photo, title, "bob", "\(name: "bob")"))))
    }

    /// Sees that no photo of this title is listed here; on the original the row stays behind, or so it may be.
    static func seesNone(_ title: Template, original: ReplyRule? = nil) -> Step {
        Step(.stream, .api(.photoListWithout("\"title\":\"\(title)\"")), original: original)
    }

    /// Sees that somebody is logged in.
    static let seesLogin = Step(.uploadOfNothing, .error("Upload malfunction"))

    /// Sees that nobody is logged in.
    static let seesNoLogin = Step(.uploadOfNothing, .error("Authorization required"))
}

extension Template {
    /// A title of the case's own.
    static let title: Template = "\(name: "title")"
}
