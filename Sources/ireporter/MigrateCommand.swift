internal import Foundation
internal import Glibc
internal import IReporter
internal import MariaDB
internal import UpgradeFiles

private let migrateUsage = """
    Usage: ireporter migrate [--dry-run] [--only N] [--directory DIR]

    Brings the tables of an existing installation up to date: applies the numbered SQL files that have not been
    applied, in their order, and records each in the table ireporter_migrations. Stops at the first problem; run it
    again once that is solved.

      --dry-run        show the tables, what would be applied and what would stop it; change nothing
      --only N         apply file N alone, even if it has been applied before: each is safe to run again
      --directory DIR  take the files from DIR rather than those in the program (the same as in sql/upgrade)
      --help           this text

    The database is that of the settings IREPORTER_DB_…; the account needs ALTER, CREATE, DROP, INDEX, LOCK TABLES,
    SELECT, INSERT, UPDATE, DELETE and CREATE TEMPORARY TABLES. Stop the worker and PHP before, and keep a backup.

    Exit status: 0 all is applied, 1 it stopped, 2 the call or a setting is wrong.
    """

/// `ireporter migrate`: applies the files of `sql/upgrade`.
///
/// - Returns: the exit code.
func migrate(_ arguments: [String]) -> Int32 {
    var isDryRun = false
    var only: Int?
    var directory: String?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        switch argument {
        case "--dry-run":
            isDryRun = true
        case "--only":
            guard let number = rest.popFirst().flatMap({ Int($0) }) else {
                complain("--only needs the number of a file", hint: "ireporter migrate --help")
                return ExitCode.usage
            }
            only = number
        case "--directory":
            guard let path = rest.popFirst() else {
                complain("--directory needs a folder", hint: "ireporter migrate --help")
                return ExitCode.usage
            }
            directory = path
        case "--help", "-h":
            print(migrateUsage)
            return ExitCode.success
        default:
            complain("unknown option '\(argument)'", hint: "ireporter migrate --help")
            return ExitCode.usage
        }
    }
    do {
        var files = try directory.map(upgradeFiles(in:)) ?? includedFiles()
        if let only {
            files = files.filter { $0.number == only }
            guard !files.isEmpty else {
                throw UpgradeFilesUnusable(description: "there is no file number \(only)")
            }
        }
        let environment = ProcessInfo.processInfo.environment
        let settings = try Settings(environment: environment, processors: ProcessInfo.processInfo.activeProcessorCount)
        try settings.requireDatabase()
        try migrate(settings.database, files, isDryRun: isDryRun, again: only != nil)
        return ExitCode.success
    } catch let error as SettingsError {
        complain(error.description, hint: hintForSettings)
        return ExitCode.usage
    } catch let error as UpgradeFilesUnusable {
        complain(error.description, hint: "ireporter migrate --help")
        return ExitCode.usage
    } catch {
        complain("\(error)", hint: "solve that and run it again; what has been applied stays")
        return ExitCode.failure
    }
}

private func migrate(
    _ configuration: DatabaseConfiguration,
    _ files: [UpgradeFile],
    isDryRun: Bool,
    again: Bool
) throws(MigrationError) {
    var patient = configuration
    // A statement may copy a large table, and says nothing meanwhile.
    patient.readTimeout = 7 * 86_400
    let migration = Migration(Database(patient)) { print(line: $0) }
    if isDryRun {
        try migration.preview(files, again: again)
    } else {
        try migration.apply(files, again: again) { connection in
            watchProgress(ofConnection: connection, configuration)
        }
    }
}

/// Why there are no files to apply.
private struct UpgradeFilesUnusable: Error {
    let description: String
}

private func includedFiles() -> [UpgradeFile] {
    UpgradeFiles.all.compactMap { UpgradeFile(name: $0.name, content: $0.content) }
}

private func upgradeFiles(in directory: String) throws(UpgradeFilesUnusable) -> [UpgradeFile] {
    let names: [String]
    do {
        names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
        throw UpgradeFilesUnusable(description: "the folder \(directory) cannot be read")
    }
    var files: [UpgradeFile] = []
    for name in names where name.hasSuffix(".sql") {
        guard let handle = FileHandle(forReadingAtPath: "\(directory)/\(name)"), let data = try? handle.readToEnd(),
            let file = UpgradeFile(name: name, content: data)
        else {
            throw UpgradeFilesUnusable(description: "\(directory)/\(name) cannot be read, or its name has no number")
        }
        files.append(file)
    }
    guard !files.isEmpty, Set(files.map(\.number)).count == files.count else {
        throw UpgradeFilesUnusable(description: "\(directory) holds no upgrade files, or two of one number")
    }
    return files.sorted { $0.number < $1.number }
}

/// Tells on a terminal every few seconds how far a connection's statement is, from a thread of its own that ends with the program.
private func watchProgress(ofConnection connection: Int64, _ configuration: DatabaseConfiguration) {
    guard isatty(1) == 1 else {
        return
    }
    Thread.detachNewThread {
        let database = Database(configuration)
        while true {
            Thread.sleep(forTimeInterval: 5)
            // Not to be told is no reason to stop.
            let rows = try? database.rows(
                """
                SELECT CONCAT(STATE, ', step ', STAGE, ' of ', MAX_STAGE, ', ', ROUND(PROGRESS), ' %') \
                FROM information_schema.PROCESSLIST WHERE ID = ? AND MAX_STAGE > 0 AND TIME >= 5
                """,
                [.integer(connection)]
            )
            if let text = rows?.first?.first.flatMap({ $0 }) {
                print(line: "    \(String(decoding: text, as: UTF8.self))")
            }
        }
    }
}

/// Prints a line at once, also where the output is a file.
private func print(line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
