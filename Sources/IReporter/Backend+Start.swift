internal import MariaDB

/// What is looked at before the worker serves, as far as the database answers already.
extension Backend {
    /// Whether the database answers; if not, the log says why and what to do.
    ///
    /// The worker serves all the same: it may be on its way.
    public func databaseAnswers() -> Bool {
        do throws(DatabaseError) {
            _ = try makeHousekeeper().rows("SELECT 1")
            return true
        } catch {
            warn(DatabaseCheck.failure(error, settings))
            return false
        }
    }

    /// Logs what keeps photos from being stored.
    public func warnOfUploadFolder() {
        for finding in UploadFolderCheck(settings, webUser: nil).findings() {
            warn(finding)
        }
    }

    private func warn(_ finding: Finding) {
        if case .problem(let cure) = finding.verdict {
            Log.write("\(finding.text) -> \(cure)")
        }
    }

    /// Checks that passwords can be stored as configured.
    ///
    /// - Throws: `PasswordColumnTooNarrow`, since hashes that are cut off would lock everyone out.
    public func checkPasswordColumn() throws(PasswordColumnTooNarrow) {
        guard !settings.storesPlainPasswords else {
            return
        }
        let width: Int64?
        do throws(DatabaseError) {
            width = try PasswordColumn(makeHousekeeper()).width
        } catch {
            Log.write("the column of passwords cannot be looked at yet: \(error)")
            return
        }
        if let width, width < PasswordColumn.hashLength {
            throw PasswordColumnTooNarrow(width: width)
        }
    }

    /// Checks that sessions can be kept as configured.
    ///
    /// - Throws: `SessionTableProblem`, since without them nobody could log in.
    public func checkSessionTable() throws(SessionTableProblem) {
        guard case .database = sessions else {
            return
        }
        let problem: SessionTableProblem?
        do throws(DatabaseError) {
            problem = try SessionTable(makeHousekeeper(), name: settings.database.database).problem()
        } catch {
            Log.write("the table of sessions cannot be looked at yet: \(error)")
            return
        }
        if let problem {
            throw problem
        }
    }
}
