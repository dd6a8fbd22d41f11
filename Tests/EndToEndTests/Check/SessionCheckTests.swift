import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of sessions that cannot be kept, or not be shared with PHP.
@Suite(.serialized) struct SessionCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    private static let broken = [
        BrokenSetup(
            name: "no folder",
            apply: {
                $0.environment["IREPORTER_SESSION_STORE"] = "files:/nonexistent"
            },
            findings: { _ in
                """
                sessions
                  problem  /nonexistent: No such file or directory
                           -> create it: install -d -m 0700 -o \(CheckSetup.user) /nonexistent; or set \
                IREPORTER_SESSION_STORE to PHP's session.save_path
                """
            }
        ),
        BrokenSetup(
            name: "folder that is a file",
            apply: {
                $0.environment["IREPORTER_SESSION_STORE"] = "files:\(try $0.folder.write("", to: "file"))"
            },
            findings: {
                """
                sessions
                  problem  \($0.folder.path)/file is not a folder
                           -> IREPORTER_SESSION_STORE must be files: and a folder
                """
            }
        ),
        BrokenSetup(
            name: "folder that everyone may list",
            apply: {
                try $0.folder.allow("sessions", 0o755)
            },
            findings: {
                """
                sessions
                  problem  everyone may list \($0.folder.path)/sessions, and a session's name is all it takes \
                to be its user
                           -> chmod o-r \($0.folder.path)/sessions
                """
            }
        ),
        BrokenSetup(
            name: "another user's folder",
            apply: {
                try $0.folder.allow("sessions", 0o555)
                try $0.runAsNobody()
            },
            findings: {
                """
                sessions
                  problem  no session can be written in \($0.folder.path)/sessions: Permission denied
                           -> run the worker as PHP's user, or let its user write there: chown \(CheckSetup.worker) \
                \($0.folder.path)/sessions
                """
            }
        ),
        BrokenSetup(
            name: "folder of others",
            apply: {
                try $0.shareFolder("sessions")
            },
            findings: {
                """
                sessions
                  problem  no session can be written in \($0.folder.path)/sessions: Permission denied
                           -> run the worker as PHP's user, or take a folder of its own: install -d -m 0700 -o \
                \(CheckSetup.worker) /var/lib/ireporter/sessions and \
                IREPORTER_SESSION_STORE=files:/var/lib/ireporter/sessions
                """
            }
        ),
        BrokenSetup(
            name: "another user's sessions",
            needsRoot: true,
            apply: {
                let file = try $0.folder.write("IdUser|i:1;", to: "sessions/sess_abc")
                // Which root alone can make so.
                try FileManager.default.setAttributes([.ownerAccountName: "nobody"], ofItemAtPath: file)
            },
            findings: {
                """
                sessions
                  problem  sessions in \($0.folder.path)/sessions belong to nobody, whose sessions the worker \
                cannot read
                           -> run the worker as nobody, as long as PHP is in use
                """
            }
        ),
        BrokenSetup(
            name: "disk that is full",
            apply: {
                $0.mounts = "mount -t tmpfs -o mode=700,nr_inodes=1 none \($0.folder.path("sessions"))"
            },
            findings: {
                """
                sessions
                  problem  no session can be written in \($0.folder.path)/sessions: No space left on device
                           -> free some space on its disk
                """
            }
        ),
    ]
}
