internal import Glibc

/// One run of a check, with all that changes during it.
struct FolderCheckRun<Observer: MaintenanceObserver> {
    private(set) var summary = FolderCheck.Summary()
    var observer: Observer

    private let check: FolderCheck
    private let folder: Folder
    private var index: FolderIndex
    private var stale: [String] = []
    private var pending = PendingRows()
    private var done = 0

    /// Lists the folder.
    init(check: FolderCheck, folder: Folder, observer: Observer) throws(PhotoError) {
        self.check = check
        self.folder = folder
        self.observer = observer
        var stale: [String] = []
        index = try FolderIndex(of: folder) { name throws(PhotoError) in
            if UploadDirectory.isStale(name, in: folder) { stale.append(name) }
        }
        summary.photos = index.photos
        summary.others = index.others
        self.stale = stale
    }

    /// Goes through rows and files side by side, both in the order of their numbers.
    mutating func compare(with rows: inout some PhotoRows) throws {
        if check.repairs && !check.movesMany { try requireFewStrays(rows) }
        let folder = folder
        for name in stale {
            report(.staleTemporary(name: name)) { () throws(PhotoError) in
                try folder.remove(name)
                return .repaired
            }
        }
        var row = try nextRow(&rows)
        var entry = try index.next()
        while row != nil || entry != nil {
            guard !observer.isCancelled else {
                summary.isIncomplete = true
                return
            }
            if let id = row, id < entry?.id ?? .max {
                pending.append(id)
                row = try nextRow(&rows)
            } else if let orphan = entry, row != orphan.id {
                try examine(orphan: orphan, rows: &rows)
                entry = try index.next()
            } else if let known = entry {
                if known.hasPhoto { try examine(known.id) } else { pending.append(known.id) }
                row = try nextRow(&rows)
                entry = try index.next()
            }
            while let id = pending.due(after: check.patience.rows) { try settle(id, rows: &rows) }
        }
        while !pending.isEmpty {
            guard !observer.isCancelled else {
                summary.isIncomplete = true
                return
            }
            if let id = pending.due(after: check.patience.rows) {
                try settle(id, rows: &rows)
            } else {
                usleep(100_000)
            }
        }
    }

    /// Looks ahead, since rows of the wrong database would have nearly everything moved.
    private func requireFewStrays(_ rows: some PhotoRows) throws {
        guard index.photos > FolderCheck.few else { return }
        var (rows, index) = (rows, index)
        var strays = 0
        var row = try rows.next()
        while let entry = try index.next(), !observer.isCancelled {
            while let id = row, id < entry.id { row = try rows.next() }
            if row != entry.id, let age = try age(of: entry), age >= check.patience.photos {
                strays += (entry.hasPhoto ? 1 : 0) + (entry.hasThumbnail ? 1 : 0)
            }
        }
        guard 2 * strays <= index.files else { throw TooManyStrays(strays: strays, files: index.files) }
    }

    /// Seconds since a photo, or else its thumbnail, got its name; nil if it is gone.
    private func age(of entry: FolderIndex.Entry) throws(PhotoError) -> Int? {
        let name = entry.hasPhoto ? PhotoName.photo(entry.id) : PhotoName.thumbnail(entry.id)
        return try folder.status(of: name).map { time(nil) - $0.changed }
    }

    private mutating func nextRow(_ rows: inout some PhotoRows) throws -> UInt64? {
        let row = try rows.next()
        if row != nil { summary.rows += 1 }
        return row
    }

    /// Looks again at a row whose photo was not there.
    private mutating func settle(_ id: UInt64, rows: inout some PhotoRows) throws {
        if try folder.status(of: PhotoName.photo(id)) != nil {
            try examine(id)
        } else if try rows.contains(id) {
            report(.rowWithoutPhoto(id: id))
        }
    }

    /// Examines files to which the listing of rows has no row.
    private mutating func examine(orphan: FolderIndex.Entry, rows: inout some PhotoRows) throws {
        let id = orphan.id
        // It may have been withdrawn meanwhile, or its row may only be about to be committed.
        guard let age = try age(of: orphan) else { return }
        guard age >= check.patience.photos else {
            summary.young += 1
            return
        }
        guard try !rows.contains(id) else {
            if orphan.hasPhoto { try examine(id) } else { pending.append(id) }
            return
        }
        let lost = LostAndFound(uploads: folder)
        report(orphan.hasPhoto ? .photoWithoutRow(id: id) : .thumbnailWithoutRow(id: id)) { () throws(PhotoError) in
            var place: LostAndFound.Place?
            if orphan.hasPhoto { place = try lost.take(PhotoName.photo(id)) }
            if orphan.hasThumbnail { place = try lost.take(PhotoName.thumbnail(id)) }
            return place.map { .moved(to: $0.folder) } ?? .repaired
        }
        advance(orphan.hasPhoto)
    }

    /// Examines the thumbnail of a photo that has a row.
    private mutating func examine(_ id: UInt64) throws(PhotoError) {
        let side = check.preparer.thumbnail.side
        let finding: Finding?
        switch try ThumbnailInspection(of: PhotoName.thumbnail(id), side: side, in: folder) {
        case .sound: finding = nil
        case .missing: finding = .missingThumbnail(id: id)
        case .wrongSize(let width, let height): finding = .wrongSizedThumbnail(id: id, width: width, height: height)
        case .damaged: finding = .damagedThumbnail(id: id)
        }
        if let finding {
            let (check, folder) = (check, folder)
            report(finding) { () throws(PhotoError) in
                try check.preparer.rebuildThumbnail(of: id, in: folder, directory: check.directory)
                return .repaired
            }
        }
        advance(true)
    }

    /// Counts and reports a finding, after its repair if there is one and it is wanted.
    private mutating func report(_ finding: Finding, repair: (() throws(PhotoError) -> FindingOutcome)? = nil) {
        summary.findings += 1
        var outcome = FindingOutcome.reported
        if check.repairs, let repair {
            do throws(PhotoError) {
                outcome = try repair()
                summary.repaired += 1
            } catch {
                outcome = .failed(error)
                summary.failed += 1
            }
        }
        observer.found(finding, outcome: outcome)
    }

    private mutating func advance(_ isPhoto: Bool) {
        guard isPhoto else { return }
        done += 1
        observer.progressed(MaintenanceProgress(done: done, total: max(done, index.photos)))
    }
}

/// Rows whose photo was not there, until they are looked at again.
private struct PendingRows {
    private var rows: [(id: UInt64, since: ContinuousClock.Instant)] = []
    private var first = 0

    /// More than these are not kept in mind: the oldest is then due at once, and waited for.
    private static let greatestCount = 1 << 20

    var isEmpty: Bool { first == rows.count }

    mutating func append(_ id: UInt64) { rows.append((id, .now)) }

    /// Takes the oldest row if it is at least `seconds` old.
    mutating func due(after seconds: Int) -> UInt64? {
        guard !isEmpty else { return nil }
        let (id, since) = rows[first]
        let dueAt = since + .seconds(seconds)
        if rows.count - first > Self.greatestCount {
            while .now < dueAt { usleep(100_000) }
        }
        guard .now >= dueAt else { return nil }
        first += 1
        // Half of it is used up: give the memory back.
        if first > rows.count / 2 {
            rows.removeFirst(first)
            first = 0
        }
        return id
    }
}
