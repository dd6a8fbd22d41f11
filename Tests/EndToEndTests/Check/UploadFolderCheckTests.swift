import Foundation
import TestSupport
import Testing

/// What `ireporter check` says of an upload folder that cannot be used.
@Suite(.serialized) struct UploadFolderCheckTests {
    @Test(arguments: broken.filter(\.isPossible))
    func brokenSetUpIsNamedWithItsCure(_ setup: BrokenSetup) throws {
        try setup.run()
    }

    private static let broken = [
        BrokenSetup(
            name: "no folder",
            apply: {
                $0.environment["IREPORTER_UPLOAD_DIR"] = "/nonexistent/upload"
            },
            findings: { _ in
                """
                upload folder
                  problem  /nonexistent/upload: No such file or directory
                           -> create it: install -d -o \(CheckSetup.user) /nonexistent/upload; or correct \
                IREPORTER_UPLOAD_DIR
                nginx
                  problem  no alias or root leads to the upload folder /nonexistent/upload
                           -> edit the folder in snippets/ireporter.conf (three times) or IREPORTER_UPLOAD_DIR
                """
            }
        ),
        BrokenSetup(
            name: "folder that is a file",
            apply: {
                $0.environment["IREPORTER_UPLOAD_DIR"] = try $0.folder.write("", to: "file")
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/file: Not a directory
                           -> IREPORTER_UPLOAD_DIR must name a folder
                nginx
                  problem  no alias or root leads to the upload folder \($0.folder.path)/file
                           -> edit the folder in snippets/ireporter.conf (three times) or IREPORTER_UPLOAD_DIR
                """
            }
        ),
        BrokenSetup(
            name: "folder that may not be written to",
            apply: {
                try $0.folder.allow("upload", 0o555)
                $0.runsAsNobody = getuid() == 0
                try $0.folder.allow("sessions", 0o733)
                try $0.folder.allow("", 0o777)
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/upload: Permission denied
                           -> let the worker's user write to it: chown \(CheckSetup.worker) \($0.folder.path)/upload
                """
            }
        ),
        BrokenSetup(
            name: "folder with photos that may not be written to",
            apply: {
                for name in ["7.jpg", "7-thumb.jpg", ".ireporter-x"] {
                    try $0.folder.write("", to: "upload/\(name)")
                }
                try $0.folder.makeDirectory("upload/lost+found")
                try $0.folder.allow("upload", 0o555)
                try $0.runAsNobody()
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/upload: Permission denied
                           -> let the worker's user write to it: chown \(CheckSetup.worker) \($0.folder.path)/upload
                """
            }
        ),
        BrokenSetup(
            name: "folder of others",
            apply: {
                try $0.shareFolder("upload")
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/upload: Permission denied
                           -> take a folder for nothing but photos: install -d -o \(CheckSetup.worker) \
                \($0.folder.path)/upload/upload and IREPORTER_UPLOAD_DIR=\($0.folder.path)/upload/upload
                """
            }
        ),
        BrokenSetup(
            name: "folder of a group",
            needsRoot: true,
            apply: {
                try $0.shareFolder("upload")
                // Which root alone can do.
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o775, .groupOwnerAccountName: "games"],
                    ofItemAtPath: $0.folder.path("upload")
                )
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/upload: Permission denied
                           -> usermod -aG games nobody, and start the worker anew
                """
            }
        ),
        BrokenSetup(
            name: "folder behind one that is shut",
            apply: {
                let upload = try $0.folder.makeDirectory("home") + "/upload"
                try $0.folder.makeDirectory("home/upload", permissions: 0o755)
                $0.environment["IREPORTER_UPLOAD_DIR"] = upload
                $0.nginx = $0.nginx.replacing($0.folder.path("upload"), with: upload)
                try $0.folder.allow("home", 0)
                try $0.runAsNobody()
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/home/upload: Permission denied
                           -> \(CheckSetup.worker) cannot enter \($0.folder.path)/home: choose a folder elsewhere, such as \
                /srv/ireporter/upload
                """
            }
        ),
        BrokenSetup(
            name: "group of others",
            apply: {
                try $0.runAsNobody()
                $0.environment["IREPORTER_UPLOAD_GROUP"] = "games"
            },
            findings: { _ in
                """
                upload folder
                  problem  \(CheckSetup.worker) is not in the group games (IREPORTER_UPLOAD_GROUP), so it can give \
                nothing to it
                           -> usermod -aG games \(CheckSetup.worker) and start the worker anew, or choose a group that \
                \(CheckSetup.worker) is in
                """
            }
        ),
        BrokenSetup(
            name: "folder that nginx cannot enter",
            needsRoot: true,
            apply: {
                try $0.folder.allow("upload", 0o700)
            },
            findings: {
                """
                upload folder
                  problem  nginx's user www-data cannot enter \($0.folder.path)/upload, so it cannot serve \
                photos
                           -> chmod o+x \($0.folder.path)/upload
                """
            }
        ),
        BrokenSetup(
            name: "photos that nginx cannot read",
            needsRoot: true,
            apply: {
                $0.environment["IREPORTER_UPLOAD_MODE"] = "0600"
            },
            findings: { _ in
                """
                upload folder
                  problem  nginx's user www-data cannot read photos, which are made with mode 0600
                           -> IREPORTER_UPLOAD_MODE=0644, or 0640 with a group of nginx's user as IREPORTER_UPLOAD_GROUP
                """
            }
        ),
        BrokenSetup(
            name: "disk that is full",
            apply: {
                let upload = $0.folder.path("upload")
                $0.mounts = "mount -t tmpfs -o size=1m none \(upload); head -c 2m /dev/zero >\(upload)/big 2>&1 || true"
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/upload: No space left on device
                           -> the disk, its inodes or the quota are used up: free some space
                """
            }
        ),
        BrokenSetup(
            name: "disk that is nearly full",
            apply: {
                $0.mounts = "mount -t tmpfs -o size=64m none \($0.folder.path("upload"))"
            },
            findings: { _ in
                """
                upload folder
                  problem  only 64 MiB are free
                           -> free some space, or move the folder to a larger disk
                """
            }
        ),
        BrokenSetup(
            name: "disk with room for few files",
            apply: {
                $0.mounts = "mount -t tmpfs -o size=1g,nr_inodes=1001 none \($0.folder.path("upload"))"
            },
            findings: { _ in
                """
                upload folder
                  problem  only 1000 more files can be made
                           -> free some, or move the folder to another disk
                """
            }
        ),
        BrokenSetup(
            name: "disk that is mounted for reading",
            apply: {
                $0.mounts = "mount -t tmpfs -o ro none \($0.folder.path("upload"))"
            },
            findings: {
                """
                upload folder
                  problem  \($0.folder.path)/upload: Read-only file system
                           -> mount its file system for writing; under systemd, add it to ReadWritePaths=
                """
            }
        ),
    ]
}
