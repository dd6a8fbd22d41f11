import TestSupport

/// Random request bodies: sound ones and damaged ones.
struct FormGenerator {
    /// A body and its type.
    struct Body {
        var contentType: String
        var bytes: [UInt8]
    }

    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    // MARK: application/x-www-form-urlencoded

    mutating func urlEncoded() -> Body {
        let type =
            random.oneIn(8)
            ? random.pick([
                "application/x-www-form-urlencoded; charset=utf-8", "Application/X-WWW-Form-URLEncoded",
                "application/x-www-form-urlencoded,x", "application/x-www-form-urlencodedx", "application/json",
                "application/x-www-form-urlencoded x",
            ]) : "application/x-www-form-urlencoded"
        let pieces = [
            "command", "file", "a", "b", "x", "0", "=", "=", "=", "&", "&", "&", ";", "+", "%20", " ", ".", "%2E", "[",
            "]",
            "[]", "[x]", "%5B", "%5d", "%00", "%", "%4", "%41", "%zz", "__Host-", "__Secure-", "Host-", "_", "%5F", "é",
            "\0", "\"", "%25",
            "\n",
        ]
        var bytes = random.concatenation(of: pieces, upTo: 25)
        if random.oneIn(50) {
            bytes += (0..<Int.random(in: 60...70, using: &random)).flatMap { _ in Array("[a]".utf8) }
        }
        if random.oneIn(200) {
            let count = Int.random(in: 995...1005, using: &random)
            bytes +=
                (0..<count).flatMap { Array(random.pick(["&", "&a\($0)=1", "&b="]).utf8) } + Array("&a=last&x=end".utf8)
        }
        return Body(contentType: type, bytes: bytes)
    }

    // MARK: multipart/form-data

    mutating func multipart() -> Body {
        let boundary = random.pick([
            "x", "--", "Boundary+0xAbCdEfGbOuNdArY", "a b", "----WebKitFormBoundary7MA4YWxk", "", "xx",
        ])
        let lineEnd = random.oneIn(4) ? "\n" : "\r\n"
        var bytes: [UInt8] = []
        if random.oneIn(5) { bytes += filler(boundary: boundary, lineEnd: lineEnd) }
        for _ in 0..<(random.oneIn(100) ? 30 : Int.random(in: 0...5, using: &random)) {
            bytes += Array("--\(boundary)\(lineEnd)".utf8)
            bytes += header(lineEnd: lineEnd)
            bytes += Array(lineEnd.utf8)
            bytes += filler(boundary: boundary, lineEnd: lineEnd)
            bytes += Array(lineEnd.utf8)
        }
        if !random.oneIn(8) { bytes += Array("--\(boundary)\(random.pick(["--", "--", ""]))\(lineEnd)".utf8) }
        if random.oneIn(5) { bytes += filler(boundary: boundary, lineEnd: lineEnd) }
        if random.oneIn(3) {
            random.mutate(&bytes, alphabet: Array("\r\n-:;=\"'\\ x[]\0/.".utf8))
        }
        return Body(contentType: contentType(boundary: boundary), bytes: bytes)
    }

    private mutating func contentType(boundary: String) -> String {
        guard random.oneIn(6) else { return "multipart/form-data; boundary=\(boundary)" }
        return random.pick([
            "multipart/form-data; boundary=\"\(boundary)\"", "multipart/form-data; boundary=\"\(boundary)",
            "Multipart/Form-Data; charset=utf-8; BOUNDARY=\(boundary)", "multipart/form-data, boundary=\(boundary)",
            "multipart/form-data; boundary=\(boundary), x", "multipart/form-data; boundary=\(boundary);x=\"y\"",
            "multipart/form-data", "multipart/form-data; boundary",
            "multipart/form-data; bOundary=z; boundary=\(boundary)",
            "multipart/form-data; myboundary = \(boundary);", "multipart/mixed; boundary=\(boundary)",
            "multipart/form-data boundary=\(boundary)", "multipart/form-data;boundary=\"\(boundary)\"x",
        ])
    }

    private mutating func header(lineEnd: String) -> [UInt8] {
        var lines: [String] = []
        let sentName = random.oneIn(3) ? oddName() : random.pick(["command", "file", "username", "a", "b"])
        let name = random.pick([
            "; name=\"\(sentName)\"", "; name=\"\(sentName)\"", "; name=\"\(sentName)\"", "; name=\(sentName)",
            ";name='\(sentName)'",
            "; NAME=\"\(sentName)\"", "; name =\"\(sentName)\"", "; name==\(sentName)", "; name= \"\(sentName)\"", "",
            "; name=\"\(sentName)", "; name=", "; name=\"a\"; name=\"\(sentName)\"", ";; name=\(sentName);",
        ])
        let file = random.pick([
            "", "", "; filename=\"p.jpg\"", "; filename=\"p.jpg\"", "; filename=p.jpg", "; filename=\"\"",
            #"; filename="C:\dir\p.jpg""#, #"; filename="a/b\"c.jpg""#, "; filename='p;q.jpg'", "; filename=",
            "; FileName=\"x/\"",
            #"; filename="a\\b/c\\d""#, "; filename=\"a;b=c\"", "; filename*=UTF-8''p.jpg", "; filename=p q",
        ])
        let type = random.pick([
            "form-data", "form-data", "form-data", "file", "\"form-data\"", " form-data", "attachment",
        ])
        lines.append(
            random.pick(["Content-Disposition: ", "content-disposition:", "CONTENT-DISPOSITION: \t"]) + type
                + (random.oneIn(10) ? file + name : name + file)
        )
        if random.oneIn(3) {
            lines.append(
                random.pick(["Content-Type: image/jpeg", "content-type:image/jpeg; charset=x", "Content-Type:"])
            )
        }
        if random.oneIn(8) {
            let extra = random.pick([
                "Content-Transfer-Encoding: base64", " folded", "\tfolded: x", "no colon", ": empty", "X:", "\0y",
                "Content-Disposition: form-data; name=\"b\"", "Content-Type: text/plain", ";name=b",
                "X: " + String(repeating: "y", count: 5200), String(repeating: "z", count: 5121),
                "Content-Disposition: " + String(repeating: "w", count: 5080) + "; name=\"b\"",
                "Content-Disposition : x",
            ])
            lines.insert(extra, at: Int.random(in: 0...lines.count, using: &random))
        }
        return Array(lines.map { $0 + lineEnd }.joined().utf8)
    }

    private mutating func oddName() -> String {
        random.pick([
            "a[]", "a[x]", "a[", "a[x", "a]", "a b", "a.b", " a", "", "[]", "[x]y", "a[x]y", "a[ x ].b", "a[b][c",
            "file[]", "file[x]",
            "file.", "__Host-x", "._Host-x", "MAX_FILE_SIZE", "max_file_size", "0", "a\0b", "a'b", "a\\\\b", "a\\\"b",
            "file[tmp_name]",
            "a[ b c.d", "a.b[c", "a[[b]", "file[a[b]]", "..Host-x", String(repeating: "n", count: 40),
            "MAX_FILE_SIZE[x]", "a.b.c",
        ])
    }

    /// What may be before, in and after parts; often something that is nearly a boundary.
    private mutating func filler(boundary: String, lineEnd: String) -> [UInt8] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return []
        case 1: return Array(random.pick(["1", "10", "-1", " 7x", "999999", "0", "+5000", "1e3"]).utf8)
        case 2:
            return random.concatenation(
                of: [
                    "\r", "\n", "\r\n", "-", "--", boundary, "--\(boundary)", "\n--\(boundary)", "\r\n--\(boundary)x",
                    "\0",
                ],
                upTo: 6
            )
        case 3: return random.bytes(upTo: 40)
        case 4:
            let size = Int.random(in: 5080...5160, using: &random)
            return [UInt8](repeating: UInt8(ascii: "f"), count: size)
                + random.concatenation(of: ["\r", "\n", "\r\n", "--\(boundary)"], upTo: 3)
        case 5 where random.oneIn(4):
            return (0..<random.pick([100, 5119, 5120, 10_238, 12_000])).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
        default:
            return random.concatenation(of: ["register", "login", "a", "b", "+", "%41", " ", "\r\n", "é"], upTo: 5)
        }
    }
}
