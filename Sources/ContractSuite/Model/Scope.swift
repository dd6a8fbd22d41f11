/// What fills a template's blanks while one case runs on one backend: its unique names and the ids seen so far.
struct Scope: Sendable, Equatable {
    /// Part of every name of the case; letters, digits and hyphens, unique to the run, the case and the backend.
    let prefix: String
    private(set) var ids: [String: [UInt8]] = [:]

    init(prefix: String) {
        self.prefix = prefix
    }

    /// The unique name behind a label.
    func name(_ label: String) -> String {
        "\(prefix)\(label)"
    }

    /// The template's bytes, or `nil` when it needs an id that no reply has shown yet.
    func render(_ template: Template) -> [UInt8]? {
        var result: [UInt8] = []
        for segment in template.segments {
            switch segment {
            case .bytes(let bytes): result += bytes
            case .name(let label): result += name(label).utf8
            case .id(let label):
                guard let digits = ids[label] else { return nil }
                result += digits
            case .some: return nil
            }
        }
        return result
    }

    /// The template for a report: unknown blanks appear as `<label>`.
    func describe(_ template: Template) -> [UInt8] {
        template.segments.reduce(into: []) { result, segment in
            switch segment {
            case .bytes(let bytes): result += bytes
            case .name(let label): result += name(label).utf8
            case .id(let label): result += ids[label] ?? Array("<\(label)>".utf8)
            case .some(let label): result += "<\(label)>".utf8
            }
        }
    }

    /// The scope after `template` matched all of `bytes`, or `nil` if it does not.
    func matching(_ template: Template, _ bytes: [UInt8]) -> Scope? {
        var scope = self
        guard scope.match(template, bytes[...]) == bytes.count else { return nil }
        return scope
    }

    /// The scope after `template` matched somewhere in `bytes`, or `nil` if it occurs nowhere.
    func finding(_ template: Template, in bytes: [UInt8]) -> Scope? {
        for start in bytes.indices {
            var scope = self
            if scope.match(template, bytes[start...]) != nil { return scope }
        }
        return nil
    }

    /// Where a match of the start of `bytes` ends.
    ///
    /// Ids are taken greedily.
    private mutating func match(_ template: Template, _ bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        for segment in template.segments {
            switch segment {
            case .bytes(let expected):
                guard rest.starts(with: expected) else { return nil }
                rest = rest.dropFirst(expected.count)
            case .name(let label):
                let expected = name(label).utf8
                guard rest.starts(with: expected) else { return nil }
                rest = rest.dropFirst(expected.count)
            case .id(let label):
                let digits = Array(rest.prefix { (0x30...0x39).contains($0) })
                guard !digits.isEmpty, ids[label, default: digits] == digits else { return nil }
                ids[label] = digits
                rest = rest.dropFirst(digits.count)
            case .some:
                let length = Scope.lengthOfJSONStringContents(rest)
                guard length > 0 else { return nil }
                rest = rest.dropFirst(length)
            }
        }
        return rest.startIndex
    }

    private static func lengthOfJSONStringContents(_ bytes: ArraySlice<UInt8>) -> Int {
        var index = bytes.startIndex
        while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.endIndex) - bytes.startIndex
    }
}
