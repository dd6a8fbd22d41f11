internal import FastCGI
internal import PHPSemantics

/// The keys of which a client must bring one, in the field `APIKey`; with none configured everyone may in.
struct APIKeys: Sendable {
    private let digests: [[UInt8]]
    private let refusal: Response

    /// Takes the keys that are accepted, and what clients without one are told.
    init(_ keys: [[UInt8]], reason: String) {
        digests = keys.map(SHA256.digest)
        var body = Array(#"{"Message":"No Access","Reason":"#.utf8)
        body.appendJSONString(reason.utf8)
        body.append(UInt8(ascii: "}"))
        refusal = Reply.json(body)
    }

    /// The reply to a form that brings none of the keys; nil if it may go on.
    ///
    /// Digests are compared, and all of them, so that the time tells neither how long a key is nor which it was.
    func refusal(of form: Form) -> Response? {
        guard !digests.isEmpty else {
            return nil
        }
        let offered = SHA256.digest(form.string("APIKey") ?? [])
        var isAccepted = false
        for digest in digests where constantTimeEqual(offered, digest) {
            isAccepted = true
        }
        return isAccepted ? nil : refusal
    }
}
