internal import CLinux
internal import Glibc

/// A listening socket: bound here, or inherited from systemd or a spawner.
///
/// Non-blocking, so that no thread ever waits in `accept`.
public final class ListeningSocket: Sendable {
    /// The descriptor.
    let descriptor: Int32
    /// True if the socket is this process's alone, bound by itself or taken over from its predecessor, so that it may
    /// shut it for everyone.
    let isOwn: Bool
    /// True for a unix socket.
    let isUnix: Bool
    /// What the socket is bound to, for the log.
    public let address: ListenAddress
    private let boundFile: BoundFile?

    /// A unix socket's file and which file it was, so that only that one is removed at the end.
    private struct BoundFile: Sendable {
        let path: String
        let device: UInt64
        let inode: UInt64
    }

    /// Opens what `address` names.
    ///
    /// A unix socket's file appears with its final mode and group in one step. A file left by a process that
    /// is gone is replaced; one on which somebody listens, or which is no socket, is left alone.
    ///
    /// - Parameters:
    ///   - address: where to listen.
    ///   - mode: permission bits of a unix socket's file.
    ///   - group: name of the group a unix socket's file is given; nil leaves the process's.
    ///   - handedOver: what the process was started with; a socket of this worker's predecessor that is bound to
    ///     `address` is used as it is.
    /// - Throws: `FastCGIError`.
    public static func open(
        _ address: ListenAddress,
        mode: UInt32 = 0o660,
        group: String? = nil,
        handedOver: InheritedSockets? = nil
    ) throws(FastCGIError) -> [ListeningSocket] {
        let inherited: InheritedSockets
        if let handedOver {
            inherited = handedOver
        } else {
            inherited = try InheritedSockets.take()
        }
        switch address {
        case .unix(let path):
            if let own = adoptUnix(path, inherited) {
                return [own]
            }
            return [try bindUnix(path, mode: mode, group: group)]
        case .tcp(let host, let port):
            return [try bindTCP(host: host, port: port, inherited)]
        case .inherited:
            guard !inherited.forRequests.isEmpty else {
                throw .nothingInherited
            }
            return inherited.forRequests.map { ListeningSocket(inherited: $0) }
        }
    }

    /// Opens the socket on which the status is asked for: the one handed over by the name `status`, else `address`.
    ///
    /// - Returns: nil if there is neither.
    /// - Throws: `FastCGIError`.
    public static func openStatus(
        _ address: ListenAddress?,
        mode: UInt32,
        group: String?,
        handedOver: InheritedSockets
    ) throws(FastCGIError) -> ListeningSocket? {
        if let descriptor = handedOver.forStatus {
            return ListeningSocket(inherited: descriptor)
        }
        guard let address else {
            return nil
        }
        return try open(address, mode: mode, group: group, handedOver: handedOver).first
    }

    private init(descriptor: Int32, isOwn: Bool, isUnix: Bool, address: ListenAddress, boundFile: BoundFile? = nil) {
        self.descriptor = descriptor
        self.isOwn = isOwn
        self.isUnix = isUnix
        self.address = address
        self.boundFile = boundFile
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(descriptor)
    }

    /// Takes no further connections, where that can be said without losing those that already wait.
    ///
    /// On Linux a unix listening socket whose receiving side is shut refuses new connections and still hands
    /// out the waiting ones. An inherited socket is somebody else's to shut: its queue outlives this process.
    func refuseNewConnections() {
        if isOwn && isUnix {
            shutdown(descriptor, Int32(SHUT_RD))
        }
    }

    /// Removes the unix socket's file, if it is still the one that was bound here.
    public func removeFile() {
        guard let boundFile else { return }
        var status = stat()
        guard unsafe lstat(boundFile.path, &status) == 0,
            UInt64(status.st_dev) == boundFile.device, UInt64(status.st_ino) == boundFile.inode
        else { return }
        unsafe unlink(boundFile.path)
    }

    // MARK: Unix sockets

    /// The socket that this worker's predecessor had bound to a path.
    private static func adoptUnix(_ path: String, _ inherited: InheritedSockets) -> ListeningSocket? {
        // It still goes by the name under which it was bound (see `bindUnix`).
        let descriptor = inherited.own { candidate in
            [path, path + ".new"].contains { name in
                unsafe withUnixAddress(name) { unsafe isBound(candidate, to: $0, $1) ? 0 : -1 } == 0
            }
        }
        return descriptor.map { descriptor in
            ListeningSocket(
                descriptor: descriptor,
                isOwn: true,
                isUnix: true,
                address: .unix(path: path),
                boundFile: boundFile(path)
            )
        }
    }

    private static func boundFile(_ path: String) -> BoundFile {
        var status = stat()
        unsafe lstat(path, &status)
        return BoundFile(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    private static func bindUnix(_ path: String, mode: UInt32, group: String?) throws(FastCGIError) -> ListeningSocket {
        var groupID = gid_t.max  // chown's "leave it"
        if let group {
            guard let entry = unsafe getgrnam(group) else {
                throw .unknownGroup(group)
            }
            groupID = unsafe entry.pointee.gr_gid
        }
        // Two workers that start at once on one path take turns, so that neither mistakes the other's
        // socket for a stale one.
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let folderDescriptor = unsafe Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folderDescriptor >= 0 else {
            throw .system("open the socket's folder \(folder)", errorText())
        }
        defer { close(folderDescriptor) }
        flock(folderDescriptor, LOCK_EX)

        try refuseIfTaken(path)
        let temporary = path.utf8.count <= 100 ? path + ".new" : path
        unsafe unlink(temporary)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else {
            throw .system("create a socket", errorText())
        }
        do throws(FastCGIError) {
            guard unsafe withUnixAddress(temporary, { unsafe bind(descriptor, $0, $1) }) == 0 else {
                throw .system("bind \(temporary)", errorText())
            }
            guard unsafe chown(temporary, uid_t.max, groupID) == 0, unsafe chmod(temporary, mode) == 0 else {
                throw .system("set mode and group of \(path)", errorText())
            }
            guard listen(descriptor, backlog) == 0 else {
                throw .system("listen on \(path)", errorText())
            }
            guard unsafe temporary == path || rename(temporary, path) == 0 else {
                throw .system("put the socket at \(path)", errorText())
            }
        } catch {
            unsafe unlink(temporary)
            close(descriptor)
            throw error
        }
        return ListeningSocket(
            descriptor: descriptor,
            isOwn: true,
            isUnix: true,
            address: .unix(path: path),
            boundFile: boundFile(path)
        )
    }

    private static func refuseIfTaken(_ path: String) throws(FastCGIError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            return
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw .notASocket(path)
        }
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        defer { close(probe) }
        let result = unsafe withUnixAddress(path) { unsafe connect(probe, $0, $1) }
        // Only a refusal proves that nobody listens; a full queue or missing permission means that somebody may.
        if result == 0 || errno != ECONNREFUSED {
            throw .addressInUse("unix:\(path)")
        }
    }

    static func withUnixAddress(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { target in
            for (index, byte) in path.utf8.enumerated() where index < target.count - 1 {
                unsafe target[index] = byte
            }
        }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    // MARK: TCP and inherited sockets

    private static func bindTCP(
        host: String,
        port: UInt16,
        _ inherited: InheritedSockets
    ) throws(FastCGIError) -> ListeningSocket {
        let address = ListenAddress.tcp(host: host, port: port)
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found else {
            throw .system("find the address \(host)", unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(found) }
        let own = inherited.own { candidate in
            unsafe isBound(candidate, to: first.pointee.ai_addr, first.pointee.ai_addrlen)
        }
        if let own {
            return ListeningSocket(descriptor: own, isOwn: true, isUnix: false, address: address)
        }
        let descriptor = unsafe socket(first.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else {
            throw .system("create a socket", errorText())
        }
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        guard unsafe bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            listen(descriptor, backlog) == 0
        else {
            let code = errno
            close(descriptor)
            if code == EADDRINUSE {
                throw .addressInUse(address.description)
            }
            throw .system("listen on \(address)", errorText(code))
        }
        return ListeningSocket(descriptor: descriptor, isOwn: true, isUnix: false, address: address)
    }

    /// Makes a listening socket of one that was handed over.
    private convenience init(inherited descriptor: Int32) {
        let isUnix = Self.isUnixSocket(descriptor)
        self.init(descriptor: descriptor, isOwn: false, isUnix: isUnix, address: .inherited)
    }

    /// Whether a socket is bound to this address.
    private static func isBound(_ descriptor: Int32, to wanted: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bound in
                guard unsafe getsockname(descriptor, bound, &size) == 0 else {
                    return false
                }
                return unsafe memcmp(bound, wanted, Int(min(size, length))) == 0
            }
        }
    }

    private static func isUnixSocket(_ descriptor: Int32) -> Bool {
        integerOption(descriptor, SO_DOMAIN) == AF_UNIX
    }

    private static func integerOption(_ descriptor: Int32, _ option: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : nil
    }

    private static let backlog: Int32 = 4096
}

/// The text of an error number.
func errorText(_ code: Int32 = errno) -> String {
    unsafe String(cString: strerror(code))
}
