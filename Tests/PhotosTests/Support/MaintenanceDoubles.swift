import Photos

/// Rows of the table in an array; some may come or go between listing and second look.
struct ListedRows: PhotoRows {
    var ids: [UInt64]
    /// What is there at the second look.
    var laterIDs: Set<UInt64>
    private var position = 0

    init(_ ids: [UInt64], later: Set<UInt64>? = nil) {
        self.ids = ids
        laterIDs = later ?? Set(ids)
    }

    mutating func next() -> UInt64? {
        guard position < ids.count else { return nil }
        position += 1
        return ids[position - 1]
    }

    mutating func contains(_ id: UInt64) -> Bool { laterIDs.contains(id) }
}

/// Keeps what it is told.
struct Recorder: MaintenanceObserver, Sendable {
    var findings: [Finding] = []
    var outcomes: [FindingOutcome] = []
    var progress: [MaintenanceProgress] = []
    /// After how many photos to stop.
    var patience = Int.max

    var isCancelled: Bool { progress.count >= patience }

    mutating func found(_ finding: Finding, outcome: FindingOutcome) {
        findings.append(finding)
        outcomes.append(outcome)
    }

    mutating func progressed(_ progress: MaintenanceProgress) { self.progress.append(progress) }
}
