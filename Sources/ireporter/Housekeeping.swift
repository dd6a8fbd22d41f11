internal import Foundation
internal import IReporter

/// What the worker does beside the requests, once a second in a thread of its own, so that a database that hangs
/// keeps neither signals nor the limits of requests waiting.
struct Housekeeping {
    /// Begins; it goes on until the process ends.
    init(_ backend: Backend) {
        let thread = Thread {
            let database = backend.makeHousekeeper()
            var second = 0
            while true {
                Thread.sleep(forTimeInterval: 1)
                second += 1
                backend.keepHouse(database, second: second)
            }
        }
        thread.name = "housekeeping"
        thread.start()
    }
}
