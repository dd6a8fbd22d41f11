internal import Glibc
internal import PHPSemantics
internal import Photos

/// Whether photos can be stored and served.
struct UploadFolderCheck {
    private let settings: Settings
    private let webUser: SystemUser?

    init(_ settings: Settings, webUser: SystemUser?) {
        self.settings = settings
        self.webUser = webUser
    }

    func findings() -> [Finding] {
        let path = settings.uploadDirectory
        do throws(PhotoError) {
            try UploadDirectory(path: path).verify()
        } catch {
            return [Self.failure(error, path)]
        }
        var findings = [
            Finding.fine("\(path): files can be written, flushed and named"),
            .fine("temporary files are made in it, so they are on its file system"),
        ]
        var space = statvfs()
        if unsafe statvfs(path, &space) == 0 {
            findings.append(
                Self.space(
                    bytes: Self.bytes(blocks: UInt64(space.f_bavail), of: UInt64(space.f_frsize)),
                    files: space.f_files == 0 ? nil : Int(clamping: space.f_favail),
                    largest: settings.form.bodyBytes
                )
            )
        }
        if let group = settings.uploadGroup,
            let problem = GroupCheck(group, setting: "IREPORTER_UPLOAD_GROUP").problem
        {
            return findings + [problem]
        }
        findings += serving(path)
        return findings
    }

    /// The bytes of some blocks; the largest number for more, as file systems without a limit may claim.
    static func bytes(blocks: UInt64, of size: UInt64) -> Int {
        let (product, isTooLarge) = blocks.multipliedReportingOverflow(by: size)
        return isTooLarge ? .max : Int(clamping: product)
    }

    /// Whether enough is free.
    ///
    /// - Parameters:
    ///   - bytes: free for the worker's user.
    ///   - files: files that can still be made; nil where there is no limit.
    ///   - largest: bytes of the largest request.
    static func space(bytes: Int, files: Int?, largest: Int) -> Finding {
        let megabytes = bytes >> 20
        // Enough for the uploads of all heavy threads at once, each with its thumbnail.
        if bytes < largest * 32 {
            return .problem("only \(megabytes) MiB are free", "free some space, or move the folder to a larger disk")
        }
        if let files, files < 10_000 {
            return .problem("only \(files) more files can be made", "free some, or move the folder to another disk")
        }
        return .fine("\(megabytes) MiB are free")
    }

    /// What to do about a folder that may not be written to.
    private static func unwritable(_ path: String) -> String {
        let user = SystemUser.current
        if let barrier = SystemUser(named: user)?.barrier(onTheWayTo: parentFolder(of: path)) {
            return "\(user) cannot enter \(barrier): choose a folder elsewhere, such as /srv/ireporter/upload"
        }
        if FolderContents.are(in: path, only: FolderContents.isUpload) {
            return "let the worker's user write to it: chown \(user) \(path)"
        }
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & 0o020 != 0, status.st_gid != 0,
            !GroupCheck.isOfThisProcess(status.st_gid)
        {
            return "usermod -aG \(GroupCheck.name(of: status.st_gid)) \(user), and start the worker anew"
        }
        let folder = path == "/" ? "/srv/upload" : "\(path)/upload"
        return "take a folder for nothing but photos: install -d -o \(user) \(folder) and "
            + "IREPORTER_UPLOAD_DIR=\(folder)"
    }

    private static func failure(_ error: PhotoError, _ path: String) -> Finding {
        guard case .storage(let code, _) = error else {
            return .problem("\(error)", "look at \(path)")
        }
        let cure =
            switch code {
            case ENOENT: "create it: install -d -o \(SystemUser.current) \(path); or correct IREPORTER_UPLOAD_DIR"
            case ENOTDIR: "IREPORTER_UPLOAD_DIR must name a folder"
            case EACCES, EPERM: unwritable(path)
            case EROFS: "mount its file system for writing; under systemd, add it to ReadWritePaths="
            case ENOSPC, EDQUOT: "the disk, its inodes or the quota are used up: free some space"
            default: "look at the folder and its disk"
            }
        return .problem("\(path): \(unsafe String(cString: strerror(code)))", cure)
    }

    private func serving(_ path: String) -> [Finding] {
        guard let webUser else {
            return []
        }
        if let barrier = webUser.barrier(onTheWayTo: path) {
            return [
                .problem(
                    "nginx's user \(webUser.name) cannot enter \(barrier), so it cannot serve photos",
                    "chmod o+x \(barrier)"
                )
            ]
        }
        var folder = stat()
        guard unsafe stat(path, &folder) == 0 else {
            return []
        }
        let mode = settings.uploadMode
        let printedMode = Settings.octal(mode)
        // In a folder with the set-group-ID bit, files have the folder's group.
        let group = settings.uploadGroup ?? (folder.st_mode & S_ISGID == 0 ? getegid() : folder.st_gid)
        guard webUser.may(4, owner: geteuid(), group: group, mode: mode) else {
            return [
                .problem(
                    "nginx's user \(webUser.name) cannot read photos, which are made with mode \(printedMode)",
                    "IREPORTER_UPLOAD_MODE=0644, or 0640 with a group of nginx's user as IREPORTER_UPLOAD_GROUP"
                )
            ]
        }
        return [.fine("nginx's user \(webUser.name) gets in; photos are made with mode \(printedMode)")]
    }
}
