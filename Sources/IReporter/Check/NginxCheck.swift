internal import FastCGI
internal import PHPSemantics

/// Whether nginx's limits go with the worker's, and nginx finds it.
struct NginxCheck {
    /// A `location` that passes requests to the worker, with the blocks around it, the innermost first.
    private struct Place {
        let name: String
        let blocks: [[NginxConfiguration.Directive]]
        let upstream: [NginxConfiguration.Directive]?
        /// The argument of `fastcgi_pass`, and the addresses behind it.
        let target: String
        let addresses: [String]

        /// The arguments of a directive that inner blocks inherit.
        func arguments(_ name: String) -> [String]? {
            for block in blocks {
                if let directive = block.last(where: { $0.name == name }) {
                    return directive.arguments
                }
            }
            return nil
        }

        /// All directives of a name on the innermost level that has one, as nginx inherits lists.
        func list(_ name: String) -> [[String]] {
            for block in blocks {
                let found = block.filter { $0.name == name }.map(\.arguments)
                if !found.isEmpty {
                    return found
                }
            }
            return []
        }
    }

    private let settings: Settings
    private let places: [Place]
    private let targets: Set<String>
    private let folders: [(name: String, path: String)]

    init(_ settings: Settings, _ nginx: NginxConfiguration) {
        self.settings = settings
        let http = nginx.directives.filter { $0.name == "http" }.flatMap(\.block)
        var upstreams: [String: [NginxConfiguration.Directive]] = [:]
        for directive in http where directive.name == "upstream" {
            upstreams[directive.arguments.first ?? ""] = directive.block
        }
        var places: [Place] = []
        var targets: Set<String> = []
        var folders: [(String, String)] = []
        func visit(_ block: [NginxConfiguration.Directive], _ outer: [[NginxConfiguration.Directive]], _ name: String) {
            let blocks = [block] + outer
            for directive in block {
                switch directive.name {
                case "fastcgi_pass":
                    let target = directive.arguments.first ?? ""
                    let upstream = upstreams[target]
                    let addresses =
                        upstream?.filter { $0.name == "server" }.compactMap(\.arguments.first) ?? [target]
                    targets.formUnion(addresses)
                    places.append(
                        Place(name: name, blocks: blocks, upstream: upstream, target: target, addresses: addresses)
                    )
                case "alias", "root":
                    folders.append((directive.name, directive.arguments.first ?? ""))
                case "server", "location", "if":
                    visit(directive.block, blocks, directive.arguments.last ?? directive.name)
                default:
                    break
                }
            }
        }
        visit(http, [], "http")
        self.places = Self.leading(places, settings)
        self.targets = targets
        self.folders = folders
    }

    func findings() -> [Finding] {
        guard !places.isEmpty else {
            let found =
                targets.isEmpty ? "there is no fastcgi_pass" : "it leads to \(targets.sorted().joined(separator: ", "))"
            return [
                .problem(
                    "no fastcgi_pass leads to \(settings.listen): \(found)",
                    "compare the server line of ireporter-upstream.conf with IREPORTER_LISTEN, "
                        + "and include snippets/ireporter.conf in the server block"
                )
            ]
        }
        var findings: [Finding] = []
        for place in places {
            let found = limits(place) + connections(place) + parameters(place)
            findings +=
                found.isEmpty ? [.fine("\(place.name): limits, buffering and parameters go with the worker's")] : found
        }
        return findings + [photos()]
    }

    private static func leads(_ target: String, to listen: ListenAddress) -> Bool {
        switch listen {
        case .unix(let path): target == "unix:\(path)" || target == "unix:\(path):"
        case .tcp(_, let port): target.hasSuffix(":\(port)")
        case .inherited: target == unitSocket
        }
    }

    /// The places that lead to the worker.
    ///
    /// Which address an inherited socket has, only who made it knows. It is that of `ireporter.socket`; where nothing
    /// leads there, that of the upstream with the worker's name; and where there is none either, any unix socket but
    /// the status's.
    private static func leading(_ places: [Place], _ settings: Settings) -> [Place] {
        let found = places.filter { $0.addresses.contains { leads($0, to: settings.listen) } }
        guard found.isEmpty, settings.listen == .inherited else {
            return found
        }
        let named = places.filter { $0.target == "ireporter" }
        let status = settings.operation.statusListen?.description
        return named.isEmpty
            ? places.filter { $0.addresses.contains { $0.hasPrefix("unix:") && $0 != status } } : named
    }

    private static let unitSocket = "unix:/run/ireporter/ireporter.sock"

    private func limits(_ place: Place) -> [Finding] {
        var findings: [Finding] = []
        let text = place.arguments("client_max_body_size")?.first ?? "1m"
        let size = Self.bytes(text) ?? 0
        if size > 0 && size < settings.form.bodyBytes {
            findings.append(
                .problem(
                    "\(place.name): client_max_body_size \(text) is less than "
                        + "IREPORTER_MAX_BODY_BYTES (\(settings.form.bodyBytes))",
                    "client_max_body_size \((settings.form.bodyBytes >> 20) + 1)m; else nginx refuses larger photos by itself"
                )
            )
        }
        if place.arguments("fastcgi_request_buffering")?.first == "off" {
            findings.append(
                .problem(
                    "\(place.name): fastcgi_request_buffering is off, so a slow phone occupies a thread of the worker",
                    "fastcgi_request_buffering on"
                )
            )
        }
        let pages = place.list("error_page").flatMap { $0 }
        for code in ["413", "502", "504"] where !pages.contains(code) {
            findings.append(
                .problem(
                    "\(place.name): nginx answers \(code) in HTML, which the apps take for a broken network",
                    "error_page as in snippets/ireporter.conf"
                )
            )
            break
        }
        let limit = settings.server.requestLimit
        let wait = place.arguments("fastcgi_read_timeout").flatMap { $0.first }.flatMap(Self.seconds) ?? 60
        if limit > 0 && wait < limit + settings.server.heavyWait {
            findings.append(
                .advice(
                    "\(place.name): nginx waits \(wait) s for a reply, which may take "
                        + "\(limit) s (IREPORTER_REQUEST_SECONDS) after \(settings.server.heavyWait) s of waiting",
                    "fastcgi_read_timeout \(limit + settings.server.heavyWait + 10)s, or a smaller IREPORTER_REQUEST_SECONDS"
                )
            )
        }
        return findings
    }

    private func connections(_ place: Place) -> [Finding] {
        let keeps = place.arguments("fastcgi_keep_conn")?.first == "on"
        let pools = place.upstream?.contains { $0.name == "keepalive" } ?? false
        switch (keeps, pools) {
        case (true, true): return []
        case (false, _):
            return [
                .advice(
                    "\(place.name): nginx makes a new connection for each request",
                    "fastcgi_keep_conn on, and keepalive 32 in the upstream"
                )
            ]
        case (true, false):
            return [
                .advice(
                    "\(place.name): fastcgi_keep_conn has no effect without keepalive in the upstream",
                    "pass to an upstream with keepalive 32, as in ireporter-upstream.conf"
                )
            ]
        }
    }

    private func parameters(_ place: Place) -> [Finding] {
        let passed = Set(place.list("fastcgi_param").compactMap(\.first))
        let missing = ["REQUEST_METHOD", "CONTENT_TYPE", "CONTENT_LENGTH", "SCRIPT_NAME", "REMOTE_ADDR"]
            .filter { !passed.contains($0) }
        guard !missing.isEmpty else {
            return []
        }
        return [
            .problem(
                "\(place.name): the worker is not told \(missing.joined(separator: ", "))",
                "fastcgi_param \(missing[0]) …, as in snippets/ireporter.conf; "
                    + "a location's own fastcgi_param lines replace the inherited ones"
            )
        ]
    }

    private func photos() -> Finding {
        let upload = settings.uploadDirectory
        let isServed = folders.contains { folder in
            folder.name == "alias" ? folder.path.hasPrefix(upload) : (upload + "/").hasPrefix(folder.path + "/")
        }
        return isServed
            ? .fine("photos are served from \(upload)")
            : .problem(
                "no alias or root leads to the upload folder \(upload)",
                "edit the folder in snippets/ireporter.conf (three times) or IREPORTER_UPLOAD_DIR"
            )
    }

    /// nginx's sizes: digits, then perhaps `k`, `m` or `g`; what is too much for an `Int` is the largest one.
    static func bytes(_ text: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
        guard let last = text.lowercased().last, let unit = units[last] else {
            return number(text, of: 1)
        }
        return number(text.dropLast(), of: unit)
    }

    /// nginx's times in whole seconds: digits, then perhaps `ms`, `s`, `m` or `h`; the largest `Int` for what is more.
    static func seconds(_ text: String) -> Int? {
        if text.hasSuffix("ms") {
            return number(text.dropLast(2), of: 1).map { $0 / 1000 }
        }
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
        guard let last = text.last, let unit = units[last] else {
            return number(text, of: 1)
        }
        return number(text.dropLast(), of: unit)
    }

    private static func number(_ digits: some StringProtocol, of unit: Int) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        // Nothing but digits fails for one reason only.
        let (product, isTooLarge) = (Int(digits) ?? .max).multipliedReportingOverflow(by: unit)
        return isTooLarge ? .max : product
    }
}
