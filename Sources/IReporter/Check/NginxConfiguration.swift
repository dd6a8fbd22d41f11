internal import Glibc

/// nginx's configuration as far as its syntax goes, with included files in their places.
struct NginxConfiguration {
    /// One directive, with the block that may follow it.
    struct Directive {
        let name: String
        let arguments: [String]
        let block: [Directive]
    }

    /// Why a configuration cannot be read.
    enum Failure: Error, Equatable, CustomStringConvertible {
        /// A file cannot be read: its path, and the system's reason.
        case unreadable(String, String)
        /// A file is malformed: its path, and how.
        case malformed(String, String)

        var description: String {
            switch self {
            case .unreadable(let path, let reason): "cannot read \(path): \(reason)"
            case .malformed(let path, let what): "\(path): \(what)"
            }
        }
    }

    /// The directives outside all blocks.
    let directives: [Directive]

    /// Reads a file and what it includes.
    ///
    /// - Throws: `Failure`.
    init(file path: String) throws(Failure) {
        directives = try Self.directives(inFile: path, root: Self.folder(of: path), depth: 0)
    }

    /// The account that serves files and connects to the worker; Debian's where none is named.
    var user: String {
        directives.last { $0.name == "user" }?.arguments.first ?? "www-data"
    }

    private static let sizeLimit = 4 << 20

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }

    private static func directives(inFile path: String, root: String, depth: Int) throws(Failure) -> [Directive] {
        guard depth < 16 else {
            throw .malformed(path, "files include each other without end")
        }
        guard let file = FileDescriptor.openForReading(path) else {
            throw .unreadable(path, errnoText())
        }
        guard let bytes = file.readAll(limit: sizeLimit) else {
            throw .unreadable(path, "it is no file, or too large")
        }
        var tokens = NginxToken.tokens(of: bytes)[...]
        let read = try block(&tokens, path, depth: 0)
        return try including(read, root: root, depth: depth)
    }

    /// Blocks within one another that are read; nginx knows of no more than a handful.
    private static let greatestDepth = 100

    /// Reads directives up to the end of their block; that at depth 0 is the file.
    private static func block(
        _ tokens: inout ArraySlice<NginxToken>,
        _ path: String,
        depth: Int
    ) throws(Failure) -> [Directive] {
        var found: [Directive] = []
        var words: [String] = []
        while let token = tokens.popFirst() {
            switch token {
            case .word(let word):
                words.append(word)
            case .end where words.isEmpty:
                continue
            case .end:
                found.append(Directive(name: words[0], arguments: Array(words.dropFirst()), block: []))
                words = []
            case .open:
                guard let name = words.first else {
                    throw .malformed(path, "a block has no name")
                }
                guard depth < greatestDepth else {
                    throw .malformed(path, "more than \(greatestDepth) blocks stand in one another")
                }
                let inner = try block(&tokens, path, depth: depth + 1)
                found.append(Directive(name: name, arguments: Array(words.dropFirst()), block: inner))
                words = []
            case .close:
                guard depth > 0, words.isEmpty else {
                    throw .malformed(path, "a } stands where none may")
                }
                return found
            }
        }
        guard depth == 0, words.isEmpty else {
            throw .malformed(path, "it ends in the middle of a directive or block")
        }
        return found
    }

    /// Puts the contents of included files in the place of `include`.
    private static func including(
        _ directives: [Directive],
        root: String,
        depth: Int
    ) throws(Failure) -> [Directive] {
        var result: [Directive] = []
        for directive in directives {
            if directive.name == "include", let pattern = directive.arguments.first {
                for path in files(matching: pattern.hasPrefix("/") ? pattern : "\(root)/\(pattern)") {
                    result += try Self.directives(inFile: path, root: root, depth: depth + 1)
                }
            } else {
                let block = try including(directive.block, root: root, depth: depth)
                result.append(Directive(name: directive.name, arguments: directive.arguments, block: block))
            }
        }
        return result
    }

    private static func files(matching pattern: String) -> [String] {
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe glob(pattern, 0, nil, &found) == 0 else {
            return pattern.contains("*") ? [] : [pattern]
        }
        return (0..<Int(unsafe found.gl_pathc)).map { unsafe String(cString: found.gl_pathv[$0]!) }
    }
}
