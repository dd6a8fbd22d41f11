internal import Foundation
internal import IReporter

/// Begins what the worker does beside the requests, once after the start or once a second, in a thread of its own until
/// the process ends, so that a slow disk or a database that hangs keeps neither signals nor the limits of requests
/// waiting.
func startHousekeeping(_ backend: Backend) {
    let thread = Thread {
        backend.warnOfUploadFolder()
        backend.removeStaleTemporaries()
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
