import TestSupport
import Testing

@testable import PHPSemantics

/// Random bodies, and what PHP's built-in web server makes of them.
@Suite struct GoldenFormTests {
    /// Answers every request with what PHP made of it.
    private static let script = #"""
        <?php
        $out = '';
        foreach ($_POST as $name => $value)
            $out .= 'field ' . base64_encode($name) . ' ' . (is_array($value) ? 'array' : 's' . base64_encode($value)) . "\n";
        foreach ($_FILES as $name => $file) {
            $out .= 'file ' . base64_encode($name) . ' ';
            if (is_array($file['error'])) { $out .= "array\n"; continue; }
            $content = $file['tmp_name'] === '' ? '' : file_get_contents($file['tmp_name']);
            $out .= base64_encode($file['name']) . ' ' . base64_encode($file['type']) . ' ' . $file['error'] . ' '
                . $file['size'] . ' ' . base64_encode($content) . "\n";
        }
        echo $out;
        """#

    private static let fileBytes = 11_000

    @Test func urlEncodedFieldsAreThoseOfPHP() throws {
        var generator = FormGenerator(seed: PHP.goldenSeed(7))
        try compare((0..<PHP.goldenCount).map { _ in generator.urlEncoded() }, seed: 8)
    }

    @Test func multipartFieldsAndFilesAreThoseOfPHP() throws {
        var generator = FormGenerator(seed: PHP.goldenSeed(9))
        try compare((0..<PHP.goldenCount).map { _ in generator.multipart() }, seed: 10)
    }

    /// What the tables of cases say is what PHP does, but for those with limits of their own, and with white space in a
    /// header that HTTP does not carry.
    @Test func tablesAreTrueOfPHP() throws {
        let cases =
            (PHPMultipartTests.cases + ContractMultipartTests.cases).inBothLineEnds + PHPURLEncodedTests.cases
        let bodies = cases.compactMap { test -> FormGenerator.Body? in
            guard let type = test.contentType, test.limits == FormLimits() else { return nil }
            guard type.first?.isWhitespace != true, type.last?.isWhitespace != true else { return nil }
            return FormGenerator.Body(contentType: type, bytes: Array(test.body.utf8))
        }
        #expect(bodies.count > 200)
        try compare(bodies, seed: 11)
    }

    private func compare(_ bodies: [FormGenerator.Body], seed: UInt64) throws {
        let answers = try PHP.map(
            bodies.map { Array("\($0.contentType)\n".utf8) + $0.bytes },
            body: #"return post(...explode("\n", $in, 2));"#,
            prelude: PHPServer.prelude(
                script: Self.script,
                options: [
                    "max_input_vars=1000", "max_file_uploads=20", "upload_max_filesize=\(Self.fileBytes)",
                    "post_max_size=10M",
                ]
            )
        )
        var random = SeededGenerator(seed: seed)
        var limits = FormLimits()
        limits.fileBytes = Self.fileBytes
        // PHP has no limit on names.
        limits.nameBytes = 1 << 20
        for (body, answer) in zip(bodies, answers) {
            let expected = String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init).sorted()
            let cuts = (0..<3).map { _ in Int.random(in: 0...body.bytes.count, using: &random) }.sorted()
            let parsed = ParsedForm(body.bytes, contentType: body.contentType, limits: limits, cuts: cuts)
            let got = lines(of: parsed)
            guard got != expected else { continue }
            let difference = got.difference(from: expected)
            Issue.record("\(body.contentType) \(describe(body.bytes)) cut at \(cuts): \(difference)")
        }
    }

    private func lines(of parsed: ParsedForm) -> [String] {
        var lines: [String] = []
        for field in parsed.form.fields.fields {
            let name = encodeBase64(field.name)
            switch field.value {
            case .string(let value): lines.append("field \(name) s\(encodeBase64(value))")
            case .array: lines.append("field \(name) array")
            case .removed: break
            }
        }
        var files: [[UInt8]: String] = [:]
        for (file, recorded) in zip(parsed.form.files, parsed.receiver.files) where !file.part.name.isEmpty {
            files[file.part.name] =
                file.part.isArray
                ? "array"
                : "\(encodeBase64(file.part.fileName)) \(encodeBase64(file.status == .ok ? file.part.contentType : [])) "
                    + "\(file.status.rawValue) \(file.status == .ok ? file.byteCount : 0) "
                    + encodeBase64(file.status == .ok ? recorded.content : [])
        }
        for (name, line) in files { lines.append("file \(encodeBase64(name)) \(line)") }
        return lines.sorted()
    }
}
