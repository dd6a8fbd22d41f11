internal import Glibc

/// An account of the operating system, and what the permission bits allow it.
struct SystemUser {
    let name: String
    let user: uid_t
    let groups: [gid_t]

    /// Looks an account up; nil if there is none of that name.
    init?(named name: String) {
        guard let entry = unsafe getpwnam(name) else {
            return nil
        }
        var groups = [gid_t](repeating: 0, count: 256)
        var count = Int32(groups.count)
        let group = unsafe entry.pointee.pw_gid
        user = unsafe entry.pointee.pw_uid
        guard unsafe getgrouplist(name, group, &groups, &count) >= 0 else {
            return nil
        }
        self.name = name
        self.groups = Array(groups.prefix(Int(count)))
    }

    /// Whether the bits of a file grant this account something.
    ///
    /// - Parameter bit: 4 reading, 2 writing, 1 executing or going through.
    func may(_ bit: UInt32, owner: uid_t, group: gid_t, mode: UInt32) -> Bool {
        if user == 0 {
            return true
        }
        if user == owner {
            return mode >> 6 & bit != 0
        }
        return (groups.contains(group) ? mode >> 3 : mode) & bit != 0
    }

    /// The first folder on the way to a path, itself included, that this account cannot go through.
    func barrier(onTheWayTo path: String) -> String? {
        var prefix = ""
        for component in path.split(separator: "/") {
            prefix += "/" + component
            var status = stat()
            guard unsafe stat(prefix, &status) == 0 else {
                return nil
            }
            if status.st_mode & S_IFMT == S_IFDIR,
                !may(1, owner: status.st_uid, group: status.st_gid, mode: status.st_mode)
            {
                return prefix
            }
        }
        return nil
    }

    /// Whom the check itself runs as.
    static var findings: [Finding] {
        let id = geteuid()
        let name = unsafe getpwuid(id).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(id)"
        guard id == 0 else {
            return [.fine("checked as \(name), which should be the worker's user")]
        }
        return [
            .advice(
                "checked as root, whom nothing is forbidden",
                "run it as the worker's user, for instance runuser -u www-data -- ireporter check"
            )
        ]
    }

    /// The name of whoever this process runs as, for cures.
    static var current: String {
        unsafe getpwuid(geteuid()).map { unsafe String(cString: $0.pointee.pw_name) } ?? "\(geteuid())"
    }
}
