internal import FastCGI

/// What `ireporter status` asks a worker's status socket for.
enum StatusQuestion: CaseIterable {
    case text
    case json
    case prometheus
    case ping

    /// The parameters of its request.
    var parameters: [(name: String, value: String)] {
        let query =
            switch self {
            case .text, .ping: ""
            case .json: "json"
            case .prometheus: "prometheus"
            }
        return [
            (name: "REQUEST_METHOD", value: "GET"), (name: "SCRIPT_NAME", value: self == .ping ? "/ping" : "/status"),
            (name: "QUERY_STRING", value: query),
        ]
    }

    /// The body of a reply; nil if it is no answer to this question, as from another FastCGI program's socket, or from
    /// the one on which the worker itself takes the web server's requests.
    func body(of reply: [UInt8]) -> String? {
        let text = String(decoding: reply, as: UTF8.self)
        // CR and LF are one character of a string.
        guard let end = text.firstRange(of: "\r\n\r\n") else {
            return nil
        }
        let body = text[end.upperBound...]
        let isAnswer =
            switch self {
            case .text: body.hasPrefix("ireporter:")
            case .json: body.hasPrefix(#"{"version":"#)
            case .prometheus: body.hasPrefix("# HELP ireporter_")
            case .ping: body == "pong\n"
            }
        return isAnswer ? String(body) : nil
    }
}
