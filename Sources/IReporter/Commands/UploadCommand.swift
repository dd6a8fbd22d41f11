internal import FastCGI
internal import MariaDB
internal import PHPSemantics
internal import Photos

/// An upload whose request is read and whose file is on disk, waiting for the heavy part.
public struct PendingUpload: @unchecked Sendable {
    // @unchecked: the file has one owner at a time; it changes threads only with its request.
    let visitor: Visitor
    let user: Int64
    let title: [UInt8]
    let file: TemporaryFile
}

/// `upload`: stores a photo of the user who is logged in.
struct UploadCommand {
    let preparer: PhotoPreparer
    let row: PhotoRow

    /// Checks what can be checked at once, in the original's order: the session, then the file.
    static func accept(_ form: Form, _ visitor: Visitor, _ files: inout UploadReceiver) -> Verdict<HeavyWork> {
        let found: Int64?
        do throws(SessionError) {
            found = try files.loggedInUser()
        } catch {
            visitor.trace.refuse(.database)
            LogEntry("upload", visitor, account: []).write("\(error)")
            return .reply(Reply.error("Upload database problem.Database error"))
        }
        guard let user = found else {
            visitor.trace.refuse(.notLoggedIn)
            return .reply(Reply.error("Authorization required"))
        }
        switch files.outcome {
        case .received(let file):
            return .heavy(
                .upload(PendingUpload(visitor: visitor, user: user, title: form.text("title"), file: file))
            )
        case .malformed:
            visitor.trace.refuse(.malformed)
            return .reply(Reply.error("Upload malfunction"))
        case .notStored(let error):
            visitor.trace.refuse(.storage)
            LogEntry("upload", visitor, user: user).write("\(error)")
            return .reply(Reply.error("Upload on server problem"))
        case .none:
            visitor.trace.refuse(.noFile)
            return .reply(Reply.error("Upload on server problem"))
        }
    }

    /// Checks the photo, makes its thumbnail, and stores both with their row; success is answered only once all
    /// of it is on disk.
    func store(_ upload: PendingUpload) -> Response {
        let entry = LogEntry(upload)
        let photo: PreparedPhoto
        do throws(PhotoError) {
            photo = try preparer.prepare(upload.file, in: row.uploads)
            upload.visitor.trace.add(photo.flushTime, to: .disk)
        } catch {
            upload.visitor.trace.refuse(UploadRefusal(error))
            entry.write("\(error)")
            if case .storage = error {
                return Reply.error("Upload on server problem")
            }
            return Reply.error("Upload malfunction")
        }
        do throws(StorageFailure) {
            let id = try row.store(photo, title: upload.title, user: upload.user)
            upload.visitor.trace.storedBytes = upload.file.count
            entry.write("stored photo \(id)")
            return Reply.uploaded
        } catch {
            entry.write("\(error)")
            switch error {
            case .database:
                upload.visitor.trace.refuse(.database)
                return Reply.error("Upload database problem.Database error")
            case .files:
                upload.visitor.trace.refuse(.storage)
                return Reply.error("Upload on server problem")
            }
        }
    }
}

extension UploadRefusal {
    /// The reason for which a photo was not taken.
    init(_ error: PhotoError) {
        switch error {
        case .notAnImage, .unsupported: self = .notAnImage
        case .broken: self = .broken
        case .tooLarge(.bytes, _, _): self = .tooLarge
        case .tooLarge: self = .tooManyPixels
        case .storage: self = .storage
        }
    }
}

extension LogEntry {
    init(_ upload: PendingUpload) {
        self.init("upload", upload.visitor, user: upload.user)
    }
}
