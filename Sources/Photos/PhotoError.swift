internal import Glibc

/// Why an uploaded photo could not be taken, or a stored one not be kept.
///
/// The client only ever sees the contract's message; `description` is the one sentence for the log.
public enum PhotoError: Error, Equatable {
    /// The file is something else; `kind` names it as far as its first bytes tell: `HEIC`, `WebP`, `GIF`, …
    case notAnImage(kind: String)
    /// A JPEG or PNG of a variety which browsers do not show; the text names the variety.
    case unsupported(String)
    /// A damaged JPEG or PNG; the text says what was found.
    case broken(String)
    /// A photo beyond one of the `PhotoLimits`.
    case tooLarge(PhotoLimit, found: Int, allowed: Int)
    /// The file system refused; `errno` is its code, `operation` what was attempted.
    case storage(errno: Int32, operation: String)
}

/// A quantity of which `PhotoLimits` sets the greatest permitted value.
public enum PhotoLimit: Sendable, Equatable {
    /// Size of the file in bytes.
    case bytes
    /// Width times height.
    case pixels
    /// The longer side in pixels.
    case side
    /// Scans of a progressive (or otherwise many-scanned) JPEG.
    case scans
    /// Bytes of memory which decoding would take.
    case memory
}

extension PhotoError: CustomStringConvertible {
    /// One sentence for the log, without paths and without anything the client sent.
    public var description: String {
        switch self {
        case .notAnImage(let kind): "The file is not a JPEG or PNG but \(kind)."
        case .unsupported(let variety): "The photo is of a kind which browsers do not show: \(variety)."
        case .broken(let finding): "The photo is damaged: \(finding)."
        case .tooLarge(let limit, let found, let allowed):
            "The photo is too large: \(found) \(limit.unit) where \(allowed) are allowed."
        case .storage(let code, let operation):
            "The upload folder failed to \(operation): \(unsafe String(cString: strerror(code)))."
        }
    }
}

extension PhotoError {
    /// Whether a file or folder was not there.
    var isMissingFile: Bool {
        guard case .storage(ENOENT, _) = self else { return false }
        return true
    }

    /// Whether the folder, not the photo, is to blame, so that other photos will fare no better.
    var isAboutTheFolder: Bool {
        guard case .storage(let code, _) = self else { return false }
        return [ENOSPC, EDQUOT, EROFS, ENOTDIR, ESTALE].contains(code)
    }
}

extension PhotoLimit {
    fileprivate var unit: String {
        switch self {
        case .bytes: "bytes"
        case .pixels: "pixels"
        case .side: "pixels on a side"
        case .scans: "scans"
        case .memory: "bytes of memory"
        }
    }
}
