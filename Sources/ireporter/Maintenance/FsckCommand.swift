internal import Foundation
internal import Glibc
internal import IReporter
internal import MariaDB
internal import Photos

private let fsckUsage = """
    Usage: ireporter fsck [--repair [--delete-rows] [--many]] [--grace N]

    Compares the table photos with the upload folder: rows without files, files without rows, thumbnails that are
    missing, damaged or of the wrong size, temporary files left behind. Workers may go on meanwhile.

      --repair       make new thumbnails, move files without rows to lost+found in the upload folder (lost-photos if
                     that is the file system's own), remove temporary files that were left behind; rows without files
                     are listed
      --delete-rows  with --repair: delete rows without files. Photos are never deleted.
      --many         with --repair: move files without rows, and delete rows without files, even if they are more than
                     half of all; otherwise none is then, since it may be the wrong database or folder. Where there
                     are fewer than 20 photos or rows, that does not matter.
      --grace N      seconds that a photo may be without a row, and a row that an upload has begun with without its
                     user, before that is a finding (300)
      --help         this text

    It can be interrupted with Ctrl-C and run again.
    Settings are those of the worker; man ireporter and deploy/README.md list them.

    Exit status: 0 all is well, or is well now; 1 something is left, or it was stopped; 2 the call or a setting is wrong.
    """

/// `ireporter fsck`: compares table and folder.
///
/// - Returns: the exit code.
func fsck(_ arguments: [String]) -> Int32 {
    var repairs = false
    var deletesRows = false
    var movesMany = false
    var grace = 300
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        switch argument {
        case "--grace":
            guard let value = rest.popFirst().flatMap({ Int($0) }), value >= 0 else {
                complain("--grace needs a number of seconds", hint: "ireporter fsck --help")
                return ExitCode.usage
            }
            grace = value
        case "--repair": repairs = true
        case "--delete-rows": deletesRows = true
        case "--many": movesMany = true
        case "--help", "-h":
            print(fsckUsage)
            return ExitCode.success
        default:
            complain("unknown option '\(argument)'", hint: "ireporter fsck --help")
            return ExitCode.usage
        }
    }
    for (option, isGiven) in [("--delete-rows", deletesRows), ("--many", movesMany)] where isGiven && !repairs {
        complain("\(option) goes with --repair", hint: "ireporter fsck --help")
        return ExitCode.usage
    }
    return withSettings { settings in
        try settings.requireDatabase()
        let table = PhotoTable(Database(settings.database))
        let check = FolderCheck(
            directory: try UploadDirectory(path: settings.uploadDirectory),
            preparer: settings.makePreparer(),
            repairs: repairs,
            movesMany: movesMany,
            uploadSeconds: grace
        )
        do {
            return try fsck(check, table, deletesRows: deletesRows, deletesMany: movesMany, grace: grace)
        } catch let error as TooManyStrays {
            complain(
                "\(error.strays) of \(error.files) files belong to no row of photos in the database "
                    + "'\(try table.databaseName())'; nothing was moved",
                hint: "if IREPORTER_DB_NAME is the right database: ireporter fsck --repair --many"
            )
            return ExitCode.failure
        }
    }
}

private func fsck(
    _ check: FolderCheck,
    _ table: PhotoTable,
    deletesRows: Bool,
    deletesMany: Bool,
    grace: Int
) throws -> Int32 {
    Interruption.listen()
    var table = table
    let start = ContinuousClock.now
    let hidden = try table.hidden()
    var report = FsckReport(table: table, deletesRows: deletesRows)
    let summary = try check.run(rows: &table, observer: &report)
    report.finish()
    let isEmptied = deletesRows && !deletesMany && report.isEmptying(tableOf: summary.rows)
    if deletesRows && !isEmptied && !Interruption.isRequested {
        report.deleteRows()
    }
    let remaining = try settle(hidden, until: start + .seconds(grace), table, deletesRows: deletesRows && !isEmptied)
    let isIncomplete = summary.isIncomplete || Interruption.isRequested

    let left = summary.findings - summary.repaired - report.deletedRows + remaining
    print(
        """
        \(summary.rows) rows, \(summary.photos) photos, \(summary.others) other files, \
        \(summary.young) uploads under way
        \(summary.findings) findings, \(summary.repaired) repaired, \(report.deletedRows) rows deleted, \
        \(summary.failed) repairs failed, \(remaining) unfinished rows
        """
    )
    if isIncomplete {
        print("stopped before its end; run it again to go on")
    }
    report.printHint()
    if isEmptied {
        complain(
            "\(report.rowsWithoutPhoto.count) of \(summary.rows) rows have no photo in \(check.directory.path); "
                + "none was deleted",
            hint: "if IREPORTER_UPLOAD_DIR is the right folder: ireporter fsck --repair --delete-rows --many"
        )
    }
    return left == 0 && !isIncomplete ? ExitCode.success : ExitCode.failure
}

/// Lists rows of user 0, which an upload leaves on a table without transactions if the worker dies in the middle.
///
/// - Parameter end: when an upload that had such a row at the start is no longer under way.
/// - Returns: how many of them are left.
private func settle(
    _ hidden: [UInt64],
    until end: ContinuousClock.Instant,
    _ table: PhotoTable,
    deletesRows: Bool
) throws -> Int {
    var saysThatItWaits = false
    while .now < end, !Interruption.isRequested, try hidden.contains(where: table.isHidden) {
        if !saysThatItWaits {
            print("rows of uploads that may be under way: waiting for them as long as --grace says")
            saysThatItWaits = true
        }
        usleep(200_000)
    }
    guard !Interruption.isRequested else {
        return 0
    }
    let remaining = try hidden.filter(table.isHidden)
    for id in remaining {
        if deletesRows {
            try table.deleteHidden(id)
        }
        print("row \(id): an upload that was not finished, shown to nobody\(deletesRows ? ": deleted" : "")")
    }
    return deletesRows ? 0 : remaining.count
}

/// Prints what a check finds.
private struct FsckReport: MaintenanceObserver {
    let table: PhotoTable
    let deletesRows: Bool
    private(set) var deletedRows = 0
    private(set) var rowsWithoutPhoto: [UInt64] = []
    private var unreadable: [UInt64] = []
    private var progress = ProgressLine()

    init(table: PhotoTable, deletesRows: Bool) {
        self.table = table
        self.deletesRows = deletesRows
    }

    var isCancelled: Bool { Interruption.isRequested }

    mutating func found(_ finding: Photos.Finding, outcome: FindingOutcome) {
        progress.clear()
        let result = outcome.text(of: finding)
        if let id = finding.id, case .failed(let error) = outcome, error.isOfNoImage {
            unreadable.append(id)
        }
        if case .rowWithoutPhoto(let id) = finding {
            rowsWithoutPhoto.append(id)
        }
        print(finding.text + result)
    }

    /// Whether to delete what was found would leave less than half of the table's rows, as it would in the wrong folder.
    func isEmptying(tableOf rows: Int) -> Bool {
        rows > FolderCheck.few && 2 * rowsWithoutPhoto.count > rows
    }

    /// Deletes the rows without photos.
    mutating func deleteRows() {
        for id in rowsWithoutPhoto {
            do throws(DatabaseError) {
                try table.delete(id)
                deletedRows += 1
                print("row \(id): deleted")
            } catch {
                print("row \(id): could not be deleted (\(error))")
            }
        }
    }

    mutating func progressed(_ state: MaintenanceProgress) {
        progress.show(state.done, of: state.total)
    }

    mutating func finish() {
        progress.clear()
    }

    /// Says what to do about findings that no repair will ever remove.
    func printHint() {
        guard !unreadable.isEmpty else {
            return
        }
        print(
            """
            Of photos that cannot be read no thumbnail can be made. To be rid of those that are no images, delete their
            rows, and ireporter fsck --repair moves the files to lost+found:
              DELETE FROM photos WHERE IdPhoto IN (\(unreadable.sorted().map { "\($0)" }.joined(separator: ", ")));
            """
        )
    }
}

extension PhotoError {
    /// Whether the file is no photo; one that is damaged, or of a kind that we do not read, is still somebody's.
    fileprivate var isOfNoImage: Bool {
        switch self {
        case .notAnImage: true
        case .unsupported, .broken, .tooLarge, .storage: false
        }
    }
}

extension Photos.Finding {
    fileprivate var text: String {
        switch self {
        case .rowWithoutPhoto(let id): "row \(id): its photo is missing"
        case .photoWithoutRow(let id): "photo \(id): no row belongs to it"
        case .thumbnailWithoutRow(let id): "thumbnail \(id): neither photo nor row belongs to it"
        case .missingThumbnail(let id): "photo \(id): its thumbnail is missing"
        case .wrongSizedThumbnail(let id, let width, let height): "photo \(id): its thumbnail is \(width) × \(height)"
        case .damagedThumbnail(let id): "photo \(id): its thumbnail is damaged"
        case .staleTemporary(let name): "temporary file \(name): left behind"
        }
    }
}

extension FindingOutcome {
    fileprivate func text(of finding: Photos.Finding) -> String {
        switch self {
        case .reported: return ""
        case .failed(let error): return ": not repaired. \(error)"
        case .moved(let folder): return ": moved to \(folder)"
        case .repaired:
            if case .staleTemporary = finding {
                return ": removed"
            }
            return ": made anew"
        }
    }
}
