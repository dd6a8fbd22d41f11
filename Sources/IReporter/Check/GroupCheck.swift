internal import Glibc

/// Whether this process can give files to a group: root can, and members of the group.
struct GroupCheck {
    private let group: gid_t
    /// The variable that names the group.
    private let setting: String

    init(_ group: gid_t, setting: String) {
        self.group = group
        self.setting = setting
    }

    /// Why it cannot; nil if it can.
    var problem: Finding? {
        guard geteuid() != 0, !Self.isOfThisProcess(group) else {
            return nil
        }
        let (user, name) = (SystemUser.current, Self.name(of: group))
        // A process that was not started by a log-in may be without groups that its user is in.
        let isListed = SystemUser(named: user)?.groups.contains(group) ?? false
        return .problem(
            "\(user) is not in the group \(name) (\(setting)), so it can give nothing to it",
            isListed
                ? "start the worker with all groups of its user, for instance by setpriv --init-groups"
                : "usermod -aG \(name) \(user) and start the worker anew, or choose a group that \(user) is in"
        )
    }

    /// Whether this process is in a group.
    static func isOfThisProcess(_ group: gid_t) -> Bool {
        var groups = [gid_t](repeating: 0, count: 65_536)
        let count = unsafe getgroups(Int32(groups.count), &groups)
        return group == getegid() || groups.prefix(Int(max(0, count))).contains(group)
    }

    /// A group's name; its number if it has none.
    static func name(of group: gid_t) -> String {
        unsafe getgrgid(group).map { unsafe String(cString: $0.pointee.gr_name) } ?? "\(group)"
    }
}
