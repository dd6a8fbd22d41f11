/// Two authorities, and a certificate for 127.0.0.1 signed by the first; the files go with the value.
public struct Certificates: Sendable {
    /// The PEM file of the authority that signed the certificate.
    public let authority: String
    /// The PEM file of one that did not.
    public let otherAuthority: String
    /// The PEM file of the certificate.
    public let certificate: String
    /// The PEM file of its key.
    public let key: String
    private let sandbox: Sandbox

    /// Makes everything anew.
    public init() throws {
        sandbox = try Sandbox()
        authority = try Self.makeAuthority("authority", in: sandbox)
        otherAuthority = try Self.makeAuthority("other", in: sandbox)
        certificate = sandbox.path("server.pem")
        key = sandbox.path("server.key")
        let openssl = try Tool.openssl.url()
        let extensions = try sandbox.write("subjectAltName=IP:127.0.0.1", to: "extensions")
        try ChildProcess.run(
            openssl,
            ["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1"]
                + ["-keyout", key, "-out", sandbox.path("request")]
        )
        try ChildProcess.run(
            openssl,
            ["x509", "-req", "-in", sandbox.path("request"), "-CA", authority, "-CAkey", sandbox.path("authority.key")]
                + ["-CAcreateserial", "-days", "2", "-extfile", extensions, "-out", certificate]
        )
    }

    private static func makeAuthority(_ name: String, in sandbox: Sandbox) throws -> String {
        try ChildProcess.run(
            Tool.openssl.url(),
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)"]
                + ["-keyout", sandbox.path("\(name).key"), "-out", sandbox.path("\(name).pem")]
        )
        return sandbox.path("\(name).pem")
    }
}
