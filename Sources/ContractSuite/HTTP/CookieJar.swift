/// The cookies one client has been given in a case.
struct CookieJar: Sendable, Equatable {
    /// The name PHP gives its session cookie.
    static let sessionName = "PHPSESSID"

    private var cookies: [(name: String, value: String)] = []

    /// The value of the session cookie.
    var session: String? {
        cookies.first { $0.name == CookieJar.sessionName }?.value
    }

    /// Takes over what a reply sets; `Max-Age=0` or a date in 1970 removes.
    mutating func store(_ reply: HTTPReply) {
        for line in reply.values(of: "Set-Cookie") {
            let pieces = line.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let pair = pieces.first, let equals = pair.firstIndex(of: "=") else { continue }
            let name = String(pair[..<equals])
            cookies.removeAll { $0.name == name }
            let ends = pieces.dropFirst().contains { attribute in
                let text = attribute.lowercased()
                return text == "max-age=0" || (text.hasPrefix("expires=") && text.contains("1970"))
            }
            if !ends { cookies.append((name, String(pair[pair.index(after: equals)...]))) }
        }
    }

    /// The `Cookie` header's value for a request, `nil` for none.
    func header(_ choice: ContractRequest.Cookies) -> String? {
        switch choice {
        case .none: nil
        case .jar: cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        case .header(let value): value.replacing(ContractRequest.sessionMark, with: session ?? "none")
        }
    }

    static func == (left: CookieJar, right: CookieJar) -> Bool {
        left.cookies.elementsEqual(right.cookies) { $0 == $1 }
    }
}
