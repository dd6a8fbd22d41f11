internal import Foundation
internal import IReporter
internal import Photos

private let thumbsUsage = """
    Usage: ireporter thumbs --rebuild [--side N] [--fit crop|stretch] [--after ID]

    Makes the thumbnails of all photos in the upload folder anew, on all cores. Each is replaced at once: whoever asks
    for it gets the old one or the new one, whole.

      --rebuild    has to be given
      --side N     the thumbnail's side in pixels (otherwise IREPORTER_THUMB_SIDE)
      --fit KIND   crop to the centre, or stretch as the original did (otherwise IREPORTER_THUMB_FIT)
      --after ID   begin after the photo of this number
      --help       this text

    It can be interrupted with Ctrl-C; it then says where to go on.

    Exit status: 0 all are made, 1 some could not be, or it was stopped, 2 the call or a setting is wrong.
    """

private let thumbsHint = "ireporter thumbs --help"

/// `ireporter thumbs`: makes thumbnails anew.
///
/// - Returns: the exit code.
func thumbs(_ arguments: [String]) -> Int32 {
    var rebuilds = false
    var side: Int?
    var fit: ThumbnailOptions.Fit?
    var after: UInt64 = 0
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        switch argument {
        case "--rebuild":
            rebuilds = true
        case "--side":
            guard let value = rest.popFirst().flatMap({ Int($0) }), ThumbnailOptions.sides.contains(value) else {
                let most = ThumbnailOptions.sides.upperBound
                complain("--side needs a number of pixels from 1 to \(most)", hint: thumbsHint)
                return ExitCode.usage
            }
            side = value
        case "--fit":
            guard let value = rest.popFirst().flatMap({ ThumbnailOptions.Fit(rawValue: $0) }) else {
                complain("--fit needs crop or stretch", hint: thumbsHint)
                return ExitCode.usage
            }
            fit = value
        case "--after":
            guard let value = rest.popFirst().flatMap({ UInt64($0) }) else {
                complain("--after needs the number of a photo", hint: thumbsHint)
                return ExitCode.usage
            }
            after = value
        case "--help", "-h":
            print(thumbsUsage)
            return ExitCode.success
        default:
            complain("unknown option '\(argument)'", hint: thumbsHint)
            return ExitCode.usage
        }
    }
    guard rebuilds else {
        complain("thumbs needs --rebuild", hint: thumbsHint)
        return ExitCode.usage
    }
    return withSettings { settings in
        var settings = settings
        settings.thumbnail.side = side ?? settings.thumbnail.side
        settings.thumbnail.fit = fit ?? settings.thumbnail.fit
        return try rebuild(settings, after: after)
    }
}

private func rebuild(_ settings: Settings, after id: UInt64) throws -> Int32 {
    Interruption.listen()
    let work = ThumbnailRebuild(
        directory: try UploadDirectory(path: settings.uploadDirectory),
        preparer: settings.makePreparer(),
        threads: ProcessInfo.processInfo.activeProcessorCount
    )
    var report = ThumbsReport()
    let summary = try work.run(after: id, observer: &report)
    report.finish()
    print("\(summary.photos) photos, \(summary.rebuilt) thumbnails made, \(summary.failed) failed")
    if summary.isIncomplete {
        print("stopped before its end; go on with: ireporter thumbs --rebuild --after \(summary.last)")
    }
    return summary.failed == 0 && !summary.isIncomplete ? ExitCode.success : ExitCode.failure
}

/// Prints of which photos no thumbnail could be made.
private struct ThumbsReport: MaintenanceObserver, Sendable {
    private var progress = ProgressLine()

    var isCancelled: Bool { Interruption.isRequested }

    mutating func found(_ finding: Photos.Finding, outcome: FindingOutcome) {
        progress.clear()
        if let id = finding.id, case .failed(let error) = outcome {
            print("photo \(id): \(error)")
        }
    }

    mutating func progressed(_ state: MaintenanceProgress) {
        progress.show(state.done, of: state.total)
    }

    mutating func finish() {
        progress.clear()
    }
}
