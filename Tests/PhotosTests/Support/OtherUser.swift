import Foundation
import Glibc

/// Lets this thread reach files as an ordinary user does, which nothing is forbidden to root would not show.
///
/// The thread's user for files alone (`setfsuid`), since the tests beside it go on as they are.
func asOrdinaryUser<Result>(ofFolder path: String, _ body: () throws -> Result) throws -> Result {
    guard geteuid() == 0 else { return try body() }
    let nobody: uid_t = 65534
    guard unsafe chown(path, nobody, gid_t.max) == 0, let symbol = unsafe dlsym(nil, "setfsuid") else {
        throw CocoaError(.fileWriteNoPermission)
    }
    let setUser = unsafe unsafeBitCast(symbol, to: (@convention(c) (uid_t) -> CInt).self)
    _ = setUser(nobody)
    defer { _ = setUser(0) }
    return try body()
}
