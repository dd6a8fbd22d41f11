@testable import ContractSuite

/// One client of a site, with its cookies.
struct SiteClient {
    private var http: HTTPClient
    private let url: ContractURL
    private(set) var jar: CookieJar

    init(_ url: String, jar: CookieJar = CookieJar()) throws {
        self.init(try ContractURL(url), jar: jar)
    }

    init(_ url: ContractURL, jar: CookieJar = CookieJar()) {
        self.jar = jar
        self.url = url
        http = HTTPClient(url: self.url, timeout: .seconds(60))
    }

    /// Sends a form and gives the reply's body as text.
    mutating func post(_ fields: KeyValuePairs<String, String>) throws -> String {
        try send(ContractRequest(body: .form(fields.map { ($0.key, Template(bytes: $0.value.utf8)) }))).text
    }

    /// Sends a photo with the session's cookie.
    mutating func upload(_ photo: [UInt8], title: String = "title", named name: String = "file") throws -> String {
        let parts: [Multipart.Part] = [.field("command", "upload"), .field("title", .init(bytes: title.utf8))]
        return try send(ContractRequest(body: .multipart(Multipart(parts: parts + [.file(name, photo)])))).text
    }

    /// Sends a photo with a session's id of one's own choice.
    mutating func upload(_ photo: [UInt8], session: String) throws -> String {
        let parts: [Multipart.Part] = [.field("command", "upload"), .field("title", "title"), .file("file", photo)]
        return try send(
            ContractRequest(
                body: .multipart(Multipart(parts: parts)),
                cookies: .header("PHPSESSID=\(session)")
            )
        ).text
    }

    /// Fetches a file below the endpoint.
    mutating func get(_ path: String) throws -> HTTPReply {
        try send(ContractRequest(method: "GET", path: Template(bytes: path.utf8), body: .none))
    }

    /// Registers a user with the password `secret` and is logged in; the id.
    @discardableResult
    mutating func register(_ name: String) throws -> String {
        let reply = try post(["command": "register", "username": name, "password": "secret"])
        let prefix = #"{"result":[{"IdUser":""#
        guard reply.hasPrefix(prefix) else {
            throw UnexpectedReply(text: reply)
        }
        return String(reply.dropFirst(prefix.count).prefix { $0 != "\"" })
    }

    struct UnexpectedReply: Error { let text: String }

    mutating func send(_ request: ContractRequest) throws -> HTTPReply {
        var request = request
        request.keepsConnection = true
        guard let wire = WireRequest(request, to: url, scope: Scope(prefix: ""), jar: jar) else {
            preconditionFailure("a request without blanks")
        }
        let reply = try http.exchange(wire)
        jar.store(reply)
        return reply
    }
}

extension HTTPReply {
    var text: String { String(decoding: body, as: UTF8.self) }
}
