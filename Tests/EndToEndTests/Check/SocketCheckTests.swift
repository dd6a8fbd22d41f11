import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of a socket that nginx cannot use, or others can.
@Suite(.serialized) struct SocketCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    private static let user = NSUserName()

    private static let broken = [
        BrokenSetup(
            name: "mode that keeps nginx out",
            needsRoot: true,
            apply: {
                $0.environment["IREPORTER_SOCKET_MODE"] = "0600"
            },
            findings: {
                """
                socket
                  problem  nginx's user www-data may not connect to \($0.folder.path)/s (mode 0600)
                           -> IREPORTER_SOCKET_MODE=0660 and IREPORTER_SOCKET_GROUP=www-data, then restart \
                the worker
                """
            }
        ),
        BrokenSetup(
            name: "mode that lets everyone in",
            apply: {
                $0.environment["IREPORTER_SOCKET_MODE"] = "0666"
            },
            findings: { _ in
                """
                socket
                  problem  with mode 0666 every user of this machine can act as nginx
                           -> IREPORTER_SOCKET_MODE=0660, and IREPORTER_SOCKET_GROUP a group that nginx's \
                user is in
                """
            }
        ),
        BrokenSetup(
            name: "group that nginx is not in",
            needsRoot: true,
            apply: {
                $0.environment["IREPORTER_SOCKET_GROUP"] = "nogroup"
            },
            findings: {
                """
                socket
                  problem  nginx's user www-data may not connect to \($0.folder.path)/s (mode 0660)
                           -> IREPORTER_SOCKET_MODE=0660 and IREPORTER_SOCKET_GROUP=www-data, then restart \
                the worker
                """
            }
        ),
        BrokenSetup(
            name: "group that does not exist",
            apply: {
                $0.environment["IREPORTER_SOCKET_GROUP"] = "no-such-group"
            },
            findings: { _ in
                """
                socket
                  problem  there is no group no-such-group
                           -> correct IREPORTER_SOCKET_GROUP, or groupadd no-such-group
                """
            }
        ),
        BrokenSetup(
            name: "port that others reach",
            apply: {
                $0.environment["IREPORTER_LISTEN"] = "0.0.0.0:9000"
                $0.nginx = $0.nginx.replacing("unix:\($0.folder.path("s"))", with: "127.0.0.1:9000")
            },
            findings: { _ in
                """
                socket
                  problem  0.0.0.0:9000 can be reached by others, who can then act as nginx
                           -> listen on 127.0.0.1 or on a unix socket
                """
            }
        ),
        BrokenSetup(
            name: "folder that is not there",
            apply: {
                $0.environment["IREPORTER_LISTEN"] = "unix:/nonexistent/s"
                $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: "/nonexistent/s")
            },
            findings: { _ in
                """
                socket
                  problem  /nonexistent, where the socket is to be: No such file or directory
                           -> create it: install -d -o \(user) /nonexistent; under systemd, RuntimeDirectory= \
                does
                """
            }
        ),
        BrokenSetup(
            name: "folder that may not be written to",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_LISTEN"] = "unix:/run/ireporter.sock"
                $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: "/run/ireporter.sock")
            },
            findings: { _ in
                """
                socket
                  problem  /run, where the socket is to be: Permission denied
                           -> take a folder of its own: install -d -o \(CheckSetup.worker) /run/ireporter and \
                IREPORTER_LISTEN=unix:/run/ireporter/ireporter.sock; under systemd, RuntimeDirectory=ireporter makes it
                """
            }
        ),
        BrokenSetup(
            name: "folder that may not be opened",
            apply: {
                let socket = try $0.folder.makeDirectory("run", permissions: 0o333) + "/s"
                $0.environment["IREPORTER_LISTEN"] = "unix:\(socket)"
                $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: socket)
                try $0.folder.allow("run", 0o333)
                try $0.runAsNobody()
            },
            findings: {
                """
                socket
                  problem  \($0.folder.path)/run, where the socket is to be: Permission denied
                           -> take a folder of its own: install -d -o \(CheckSetup.worker) /run/ireporter and \
                IREPORTER_LISTEN=unix:/run/ireporter/ireporter.sock; under systemd, RuntimeDirectory=ireporter makes it
                """
            }
        ),
        BrokenSetup(
            name: "folder that is a file",
            apply: {
                let socket = try $0.folder.write("", to: "file") + "/s"
                $0.environment["IREPORTER_LISTEN"] = "unix:\(socket)"
                $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: socket)
            },
            findings: {
                """
                socket
                  problem  \($0.folder.path)/file, where the socket is to be: Not a directory
                           -> choose another IREPORTER_LISTEN, such as unix:/run/ireporter/ireporter.sock
                """
            }
        ),
        BrokenSetup(
            name: "group of others",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_SOCKET_GROUP"] = "games"
            },
            findings: { _ in
                """
                socket
                  problem  \(CheckSetup.worker) is not in the group games (IREPORTER_SOCKET_GROUP), so it can give \
                nothing to it
                           -> usermod -aG games \(CheckSetup.worker) and start the worker anew, or choose a group that \
                \(CheckSetup.worker) is in
                """
            }
        ),
        BrokenSetup(
            name: "host that has no address",
            apply: {
                $0.environment["IREPORTER_LISTEN"] = "no-such-host.invalid:9000"
                $0.nginx = $0.nginx.replacing("unix:\($0.folder.path("s"))", with: "127.0.0.1:9000")
            },
            findings: { _ in
                """
                socket
                  problem  the address of no-such-host.invalid cannot be found: \(CheckSetup.unknownHost)
                           -> correct IREPORTER_LISTEN, or put the name into /etc/hosts
                """
            }
        ),
        BrokenSetup(
            name: "address of another machine",
            apply: {
                $0.environment["IREPORTER_LISTEN"] = "192.0.2.1:9000"
                $0.nginx = $0.nginx.replacing("unix:\($0.folder.path("s"))", with: "192.0.2.1:9000")
            },
            findings: { _ in
                """
                socket
                  problem  \(CheckSetup.user) cannot listen on 192.0.2.1:9000: Cannot assign requested address
                           -> an address of this machine such as 127.0.0.1, or \
                IREPORTER_LISTEN=unix:/run/ireporter/ireporter.sock
                """
            }
        ),
        BrokenSetup(
            name: "port that only root has",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_LISTEN"] = "127.0.0.1:90"
                $0.nginx = $0.nginx.replacing("unix:\($0.folder.path("s"))", with: "127.0.0.1:90")
            },
            findings: { _ in
                """
                socket
                  problem  \(CheckSetup.worker) cannot listen on 127.0.0.1:90: Permission denied
                           -> a port from 1024 on, or IREPORTER_LISTEN=unix:/run/ireporter/ireporter.sock
                """
            }
        ),
        BrokenSetup(
            name: "folder that nginx cannot enter",
            needsRoot: true,
            apply: {
                let socket = try $0.folder.makeDirectory("run") + "/s"
                $0.nginx = $0.nginx.replacing($0.folder.path("s"), with: socket)
                $0.environment["IREPORTER_LISTEN"] = "unix:\(socket)"
            },
            findings: {
                """
                socket
                  problem  nginx's user www-data cannot enter \($0.folder.path)/run, so it cannot reach the \
                socket
                           -> chmod o+x \($0.folder.path)/run
                """
            }
        ),
        BrokenSetup(
            name: "file in its place",
            apply: {
                try $0.folder.write("", to: "s")
            },
            findings: {
                """
                socket
                  problem  \($0.folder.path)/s is there and is no socket
                           -> move it away, or choose another IREPORTER_LISTEN
                """
            }
        ),
    ]
}
