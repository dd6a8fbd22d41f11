/// One HTTP request, exact to the byte, with blanks for names and ids.
struct ContractRequest: Sendable {
    /// The request's body and the `Content-Type` that goes with it.
    enum Body: Sendable {
        /// No body, no `Content-Type`.
        case none
        /// Bytes as they are; `type` is the whole header value, `nil` sends none.
        case raw(type: String?, Template)
        /// `application/x-www-form-urlencoded`, names and values percent-encoded once.
        case form([(name: String, value: Template)])
        /// `multipart/form-data`.
        case multipart(Multipart)
    }

    /// Which `Cookie` header goes along.
    enum Cookies: Sendable {
        /// What the backend has set during this case, as a browser would send it.
        case jar
        /// None.
        case none
        /// This value, with the jar's session id in the place of ``sessionMark``.
        case header(String)
    }

    /// How the bytes leave: in one write, or in several with a pause between them.
    enum Delivery: Sendable {
        case whole
        /// Writes of at most `size` bytes.
        case pieces(size: Int, pauseMilliseconds: Int)
        /// Writes that end at these offsets counted from the start of the body.
        case cuts([Int], pauseMilliseconds: Int)
    }

    /// What the request says about its body's length.
    enum Length: Sendable {
        /// `Content-Length` with the true length.
        case actual
        /// `Content-Length` with this value, whatever the body.
        case claimed(String)
        /// `Transfer-Encoding: chunked` with chunks of this size.
        case chunked(size: Int)
        /// Nothing.
        case omitted
    }

    /// Stands for the jar's session id in ``Cookies/header(_:)``.
    static let sessionMark = "<session>"

    var method = "POST"
    /// Relative to the backend's directory URL.
    var path: Template = ""
    var headers: [(name: String, value: Template)] = []
    var body: Body = .none
    var cookies: Cookies = .jar
    var delivery: Delivery = .whole
    var length: Length = .actual
    /// Doubles every slash of the backend's own path, as clients do that join URLs carelessly.
    var doublesSlashes = false
    /// Asks to keep the connection, and uses the one kept before.
    var keepsConnection = false
    /// Closes the sending side right after the last byte.
    var closesAfterSending = false
}
