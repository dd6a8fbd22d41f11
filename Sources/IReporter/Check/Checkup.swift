internal import FastCGI

/// Looks at everything that the worker needs, without serving and without changing anything.
public struct Checkup {
    /// What was looked at together.
    public struct Section: Sendable {
        /// Its heading.
        public let title: String
        /// What was found.
        public let findings: [Finding]
    }

    private let settings: Settings
    private let nginxFile: String?

    /// Prepares to check.
    ///
    /// - Parameter nginxFile: nginx's configuration; nil leaves it out.
    public init(_ settings: Settings, nginxFile: String?) {
        self.settings = settings
        self.nginxFile = nginxFile
    }

    /// Looks at everything, and hands over each part when it is done.
    public func run(_ report: (Section) -> Void) {
        var nginx: NginxConfiguration?
        var nginxError: Finding?
        if let nginxFile {
            do throws(NginxConfiguration.Failure) {
                nginx = try NginxConfiguration(file: nginxFile)
            } catch {
                nginxError = .problem("\(error)", "give the main file, as in --nginx /etc/nginx/nginx.conf")
            }
        }
        let webUser = SystemUser(named: nginx?.user ?? "www-data")
        report(Section(title: "user", findings: SystemUser.findings))
        report(Section(title: "database", findings: DatabaseCheck(settings).findings()))
        report(Section(title: "upload folder", findings: UploadFolderCheck(settings, webUser: webUser).findings()))
        report(Section(title: "sessions", findings: SessionCheck(settings).findings()))
        report(Section(title: "socket", findings: SocketCheck(settings, webUser: webUser).findings()))
        report(Section(title: "status", findings: StatusSocketCheck(settings).findings()))
        report(Section(title: "access log", findings: AccessLogCheck(settings.operation).findings()))
        if let nginx {
            report(Section(title: "nginx", findings: NginxCheck(settings, nginx).findings()))
        } else if let nginxError {
            report(Section(title: "nginx", findings: [nginxError]))
        }
    }
}
