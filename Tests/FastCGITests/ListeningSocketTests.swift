import Glibc
import Testing

@testable import FastCGI

@Suite struct ListeningSocketTests {
    private let folder = TemporaryFolder()

    private var address: ListenAddress { .unix(path: folder.socketPath) }

    private func mode() -> UInt32 {
        var status = stat()
        unsafe lstat(folder.socketPath, &status)
        return status.st_mode & 0o777
    }

    @Test func fileHasTheModeWhateverTheUmask() throws {
        let old = umask(0o077)
        defer { umask(old) }
        let sockets = try ListeningSocket.open(address, mode: 0o660)
        #expect(mode() == 0o660)
        #expect(sockets.count == 1)
    }

    @Test func staleFileIsReplaced() throws {
        // A process that died leaves its file behind.
        _ = try ListeningSocket.open(address)
        #expect(throws: Client.CannotConnect.self) { try Client(folder.socketPath) }
        let sockets = try ListeningSocket.open(address)
        _ = try Client(folder.socketPath)
        withExtendedLifetime(sockets) {}
    }

    @Test func socketOfALivingProcessIsLeftAlone() throws {
        let first = try ListeningSocket.open(address)
        #expect(throws: FastCGIError.addressInUse("unix:\(folder.socketPath)")) {
            try ListeningSocket.open(address)
        }
        _ = try Client(folder.socketPath)
        withExtendedLifetime(first) {}
    }

    @Test func fileThatIsNoSocketIsLeftAlone() throws {
        close(unsafe open(folder.socketPath, O_CREAT | O_WRONLY, 0o600))
        #expect(throws: FastCGIError.notASocket(folder.socketPath)) {
            try ListeningSocket.open(address)
        }
        #expect(mode() == 0o600)
    }

    @Test func unknownGroupIsNamed() {
        #expect(throws: FastCGIError.unknownGroup("no-such-group")) {
            try ListeningSocket.open(address, group: "no-such-group")
        }
    }

    @Test func onlyTheOwnFileIsRemoved() throws {
        let first = try ListeningSocket.open(address)[0]
        unsafe unlink(folder.socketPath)
        let second = try ListeningSocket.open(address)[0]
        first.removeFile()
        _ = try Client(folder.socketPath)
        second.removeFile()
        #expect(unsafe access(folder.socketPath, F_OK) != 0)
    }

    @Test func refusedConnectionsDoNotLoseWaitingOnes() throws {
        let socket = try ListeningSocket.open(address)[0]
        let waiting = try Client(folder.socketPath)
        socket.refuseNewConnections()
        #expect(throws: Client.CannotConnect.self) { try Client(folder.socketPath) }
        let accepted = accept(socket.descriptor, nil, nil)
        #expect(accepted >= 0)
        close(accepted)
        withExtendedLifetime(waiting) {}
    }

    @Test func portInUseIsNamed() throws {
        let first = try ListeningSocket.open(.tcp(host: "127.0.0.1", port: 0))[0]
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(first.descriptor, $0, &size)
            }
        }
        let port = UInt16(bigEndian: address.sin_port)
        #expect(throws: FastCGIError.addressInUse("127.0.0.1:\(port)")) {
            try ListeningSocket.open(.tcp(host: "127.0.0.1", port: port))
        }
    }
}
