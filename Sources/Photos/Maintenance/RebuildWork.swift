/// What the threads of a rebuild share: the list of photos, the count, and the observer.
final class RebuildWork<Observer: MaintenanceObserver & Sendable>: Sendable {
    private struct State: Sendable {
        var index: FolderIndex
        var observer: Observer
        var summary = ThumbnailRebuild.Summary()
        /// Photos that were handed out and are not finished, in ascending order.
        var underWay: [UInt64] = []
        /// The last photo handed out.
        var handedOut: UInt64
        var failure: PhotoError?
    }

    private let state: Locked<State>

    init(index: FolderIndex, after id: UInt64, observer: Observer) {
        var state = State(index: index, observer: observer, handedOut: id)
        state.summary.photos = index.photos
        state.summary.last = id
        self.state = Locked(state)
    }

    /// The next photo, or nil when there is none or nothing more is to be done.
    func next() -> UInt64? {
        state.withLock { state in
            guard state.failure == nil else { return nil }
            guard !state.observer.isCancelled else {
                state.summary.isIncomplete = true
                return nil
            }
            do throws(PhotoError) {
                while let entry = try state.index.next() {
                    guard entry.hasPhoto, entry.id > state.handedOut else { continue }
                    state.handedOut = entry.id
                    state.underWay.append(entry.id)
                    return entry.id
                }
            } catch {
                state.failure = error
            }
            return nil
        }
    }

    /// Notes that a photo is done.
    func finish(_ id: UInt64, failure: PhotoError?) {
        state.withLock { state in
            state.underWay.removeAll { $0 == id }
            state.summary.last = (state.underWay.first ?? state.handedOut + 1) - 1
            if let failure {
                if !failure.isMissingFile {
                    state.summary.failed += 1
                    state.observer.found(.missingThumbnail(id: id), outcome: .failed(failure))
                }
                // A full disk or a lost folder will not get better with the next photo.
                if failure.isAboutTheFolder { state.failure = failure }
            } else {
                state.summary.rebuilt += 1
            }
            let done = state.summary.rebuilt + state.summary.failed
            state.observer.progressed(MaintenanceProgress(done: done, total: max(done, state.summary.photos)))
        }
    }

    /// The outcome, once all threads have ended.
    var result: (ThumbnailRebuild.Summary, Observer, PhotoError?) {
        state.withLock { ($0.summary, $0.observer, $0.failure) }
    }
}
