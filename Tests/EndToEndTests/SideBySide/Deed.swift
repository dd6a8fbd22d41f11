import TestSupport

@testable import ContractSuite

/// Something that one of several people does, of which the contract says that the original and the worker do it alike.
struct Deed: CustomStringConvertible {
    /// What is done.
    enum Kind {
        /// Sends a form, urlencoded or as the iPhone client does.
        case form([(name: String, value: [UInt8])], isMultipart: Bool)
        /// Uploads a photo in a body of which every part can be chosen.
        case upload(Multipart)
        /// Asks for one photo of those that were seen, counted from the first, with text around its number.
        case photo(Int, before: String, after: String)
        /// Forgets all cookies.
        case forget
        /// Comes with a session id that nobody has given out.
        case plant(String)
    }

    let person: Int
    /// Whether PHP is asked, where both are there to be asked.
    let isForPHP: Bool
    let kind: Kind
    let description: String
}

/// Makes one deed after the other.
struct Deeds {
    static let people = 4

    private var random: SeededGenerator
    private var count = 0
    private var names: [[UInt8]]
    private static let passwords = [
        "secret", "hunter2", "100%41", "a+b", "pass word", "ключ", "'\"\\", "x",
    ].map { Array($0.utf8) }
    private static let titles = [
        "title", "", "a/b\\c", "\"quoted\"", "größer", "日本", "😀", "100%25", "%41+%42", "a\tb\nc", "it's", "<b>&amp;",
        "\u{7F}",
        String(repeating: "x", count: 100), String(repeating: "x", count: 101),
    ].map { Array($0.utf8) }

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        names = ["bob", "BOB", "bob ", " bob", "alice", "Zoë", "o'neil", "j.r. \"bob\"", "50%41", "日本"].map {
            Array($0.utf8)
        }
        names.append(Array(repeating: UInt8(ascii: "n"), count: 45))
        names.append(Array(repeating: UInt8(ascii: "n"), count: 46))
    }

    /// The next one.
    mutating func next() -> Deed {
        count += 1
        let (kind, description) = count <= Self.beginning ? beginning() : kind()
        let isForPHP = random.oneIn(2)
        let person = count <= Self.beginning ? 0 : Int.random(in: 0..<Self.people, using: &random)
        return Deed(
            person: person,
            isForPHP: isForPHP,
            kind: kind,
            description: "\(count): person \(person), \(isForPHP ? "PHP" : "worker"): \(description)"
        )
    }

    private static let beginning = 8

    /// What one person does at first, so that no story lacks any of it.
    private mutating func beginning() -> (Deed.Kind, String) {
        let name = Array("bob".utf8)
        func credentials(_ command: String, _ password: String) -> (Deed.Kind, String) {
            form(command, [("username", name), ("password", Array(password.utf8))])
        }
        switch count {
        case 1: return credentials("register", "secret")
        case 2, 6: return upload(Array("first".utf8))
        case 3: return brokenUpload()
        case 4: return form("stream", [])
        case 5: return form("logout", [])
        case 7: return credentials("login", "hunter2")
        default: return credentials("register", "secret")
        }
    }

    private mutating func kind() -> (Deed.Kind, String) {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: credentials("register")
        case 12..<34: credentials("login")
        case 34..<56: upload(random.pick(Self.titles))
        case 56..<60: brokenUpload()
        case 60..<74: form("stream", [])
        case 74..<82: photo()
        case 82..<92: form("logout", [])
        case 92..<96: other()
        case 96..<98: (.forget, "forgets its cookies")
        default: (.plant(String((0..<26).map { _ in random.pick(Array("abcdefghij0123456789,-")) })), "plants an id")
        }
    }

    private mutating func form(_ command: String, _ fields: [(String, [UInt8])]) -> (Deed.Kind, String) {
        let isMultipart = random.oneIn(2)
        let all = [("command", Array(command.utf8))] + fields
        let text = all.map { "\($0)=\(String(decoding: $1, as: UTF8.self))" }.joined(separator: " ")
        return (.form(all.map { ($0, $1) }, isMultipart: isMultipart), text + (isMultipart ? " (multipart)" : ""))
    }

    private mutating func credentials(_ command: String) -> (Deed.Kind, String) {
        // New people now and then, and always somebody whom nobody knows.
        let name = random.oneIn(6) ? Array("person \(Int.random(in: 0...20, using: &random))".utf8) : random.pick(names)
        // Few passwords, so that the right one is often guessed; the last is the iPhone's, which is no text.
        let password = random.oneIn(4) ? Self.iPhonePassword : random.pick(Self.passwords)
        return form(command, [("username", name), ("password", password)])
    }

    /// Twenty bytes of a digest, read as Latin-1 and sent as UTF-8.
    private static let iPhonePassword = Array(
        String(
            String.UnicodeScalarView(
                [0x00, 0x0A, 0x25, 0x34, 0x31, 0x2B, 0x27, 0xE9, 0xFF, 0x80, 0x0D, 0x22, 0x5C, 0xC3]
                    .map { Unicode.Scalar($0 as UInt8) }
            )
        ).utf8
    )

    private mutating func upload(_ title: [UInt8]) -> (Deed.Kind, String) {
        let photo = random.pick([Sample.baseline, Sample.progressive, Sample.grayscale, Sample.noisy])
        let parts: [Multipart.Part] = [.field("command", "upload"), .field("title", Template(bytes: title))]
        return (
            .upload(Multipart(parts: parts + [.file("file", photo)])),
            "uploads \(photo.count) bytes, \(String(decoding: title, as: UTF8.self))"
        )
    }

    /// Uploads that leave nothing behind at either.
    private mutating func brokenUpload() -> (Deed.Kind, String) {
        let command: Multipart.Part = .field("command", "upload")
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return (.upload(Multipart(parts: [command, .file("file", [], filename: "")])), "uploads no file")
        case 1:
            return (.upload(Multipart(parts: [command, .file("file[]", Sample.baseline)])), "uploads an array")
        case 2:
            let body = Multipart(parts: [command, .file("file", Sample.baseline)], ending: .missing)
            return (.upload(body), "uploads half a file")
        default:
            let parts = [command, .field("MAX_FILE_SIZE", "10"), .file("file", Sample.baseline)]
            return (.upload(Multipart(parts: parts)), "uploads more than it allows itself")
        }
    }

    private mutating func photo() -> (Deed.Kind, String) {
        let number = Int.random(in: 0..<40, using: &random)
        let before = random.pick(["", "", " ", "\n", "+", "0"])
        let after = random.pick(["", "", "abc", ".9", " "])
        return (.photo(number, before: before, after: after), "asks for photo \(number), [\(before)] [\(after)]")
    }

    private mutating func other() -> (Deed.Kind, String) {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: form("Stream", [])
        case 1: form("", [])
        default:
            form(
                "stream",
                [("IdPhoto", random.pick(["0", "-1", "abc", "1e9", "99999999999999999999"].map { Array($0.utf8) }))]
            )
        }
    }
}
