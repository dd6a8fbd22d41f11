import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of a socket for the status on which the worker cannot listen.
@Suite(.serialized) struct StatusSocketCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    /// systemd hands both sockets over; this one stands in a folder of root's, or will.
    @Test(arguments: ["unix:/run/ireporter-status.sock", "unix:/nonexistent/status.sock"])
    func socketThatSystemdMayHandOverIsNoProblem(address: String) throws {
        let setup = try CheckSetup(.current)
        try setup.runAsNobody()
        setup.environment["IREPORTER_LISTEN"] = nil
        setup.environment["IREPORTER_STATUS_LISTEN"] = address
        setup.nginx = setup.nginx.replacing(setup.folder.path("s"), with: "/run/ireporter/ireporter.sock")
        let (status, output) = try setup.check()
        #expect(status == 0, "\(output)")
        let reason =
            address.hasPrefix("unix:/run/")
            ? "/run, where the socket is to be: Permission denied"
            : "/nonexistent, where the socket is to be: No such file or directory"
        #expect(
            output.contains(
                """
                socket
                  advice   there is no IREPORTER_LISTEN, so systemd or a spawner must hand a socket over
                           -> none is needed under the units of deploy/systemd; else \
                IREPORTER_LISTEN=unix:/run/ireporter/ireporter.sock
                status
                  advice   \(reason)
                           -> none is needed where systemd hands this socket over as well: ireporter-status.socket

                """
            ),
            "\(output)"
        )
    }

    private static let broken = [
        BrokenSetup(
            name: "address of the requests",
            apply: {
                $0.environment["IREPORTER_STATUS_LISTEN"] = $0.environment["IREPORTER_LISTEN"]
            },
            findings: { _ in
                """
                status
                  problem  IREPORTER_STATUS_LISTEN is the address of IREPORTER_LISTEN
                           -> another one: IREPORTER_STATUS_LISTEN=unix:/run/ireporter/status.sock
                """
            }
        ),
        BrokenSetup(
            name: "folder that is not there",
            apply: {
                $0.environment["IREPORTER_STATUS_LISTEN"] = "unix:/nonexistent/status.sock"
            },
            findings: { _ in
                """
                status
                  problem  /nonexistent, where the socket is to be: No such file or directory
                           -> create it: install -d -o \(CheckSetup.user) /nonexistent; under systemd, \
                RuntimeDirectory= does
                """
            }
        ),
        BrokenSetup(
            name: "folder that may not be written to",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_STATUS_LISTEN"] = "unix:/run/status.sock"
            },
            findings: { _ in
                """
                status
                  problem  /run, where the socket is to be: Permission denied
                           -> take a folder of its own: install -d -o \(CheckSetup.worker) /run/ireporter and \
                IREPORTER_STATUS_LISTEN=unix:/run/ireporter/status.sock; under systemd, RuntimeDirectory=ireporter \
                makes it
                """
            }
        ),
        BrokenSetup(
            name: "file in its place",
            apply: {
                $0.environment["IREPORTER_STATUS_LISTEN"] = "unix:\(try $0.folder.write("", to: "status"))"
            },
            findings: {
                """
                status
                  problem  \($0.folder.path)/status is there and is no socket
                           -> move it away, or choose another IREPORTER_STATUS_LISTEN
                """
            }
        ),
        BrokenSetup(
            name: "group of others beside requests that come by a port",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_LISTEN"] = "127.0.0.1:9000"
                $0.environment["IREPORTER_STATUS_LISTEN"] = "unix:\($0.folder.path("status"))"
                $0.environment["IREPORTER_SOCKET_GROUP"] = "games"
                $0.nginx = $0.nginx.replacing("unix:\($0.folder.path("s"))", with: "127.0.0.1:9000")
            },
            findings: { _ in
                """
                status
                  problem  \(CheckSetup.worker) is not in the group games (IREPORTER_SOCKET_GROUP), so it can give \
                nothing to it
                           -> usermod -aG games \(CheckSetup.worker) and start the worker anew, or choose a group that \
                \(CheckSetup.worker) is in
                """
            }
        ),
    ]
}
