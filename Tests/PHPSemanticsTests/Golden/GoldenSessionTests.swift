import PHPSemantics
import Testing

/// Random session files, and what the command-line `php` reads from them.
@Suite struct GoldenSessionTests {
    /// Reads a session into `$_SESSION`; PHP destroys the session if it cannot.
    private static let prelude = """
        enum Suit { case Hearts; }
        function read(string $in): bool {
            session_id('a');
            session_start();
            $_SESSION = [];
            return session_decode($in) && session_status() === PHP_SESSION_ACTIVE;
        }
        """
    private static let options = [
        "session.use_cookies=0", "session.cache_limiter=", "session.save_handler=files", "session.save_path=.",
        "session.serialize_handler=php",
    ]

    @Test func valuesAreThoseOfPHP() throws {
        var generator = SessionGenerator(seed: PHP.goldenSeed(5))
        let inputs = (0..<PHP.goldenCount).map { _ in generator.session(mayBeDamaged: true) }
        let body = """
            if (!read($in)) return 'malformed';
            $out = '';
            foreach ($_SESSION as $key => $value) {
                $out .= base64_encode((string) $key) . ' ' . match (true) {
                    is_string($value) => 's' . base64_encode($value),
                    is_int($value) => "i$value",
                    is_float($value) => is_nan($value) ? 'dnan' : 'd' . bin2hex(pack('E', $value)),
                    default => get_debug_type($value)[0] === 'a' ? 'array' : (is_object($value) ? 'object' : 'other'),
                } . ' ' . ($value ? 'true' : 'false') . "\\n";
            }
            session_abort();
            return $out;
            """
        let outputs = try PHP.map(inputs, body: body, prelude: Self.prelude, options: Self.options)
        var malformed = 0
        for (input, output) in zip(inputs, outputs) where !hasUnknownEnumeration(input) {
            let session = SessionData(decoding: input)
            let expected = String(decoding: output, as: UTF8.self)
            if expected == "malformed" {
                malformed += 1
                #expect(session.isEmpty, "PHP rejects \(describe(input))")
                continue
            }
            #expect(session.encoded() == input, "PHP accepts \(describe(input))")
            for line in expected.split(separator: "\n") {
                guard let difference = difference(in: session, from: String(line)) else { continue }
                Issue.record("\(describe(input)): \(difference)")
            }
        }
        #expect(malformed > inputs.count / 10)
        #expect(malformed < inputs.count * 9 / 10)
    }

    /// Different on purpose: a case of an enumeration is read whether it is known or not.
    private func hasUnknownEnumeration(_ input: [UInt8]) -> Bool {
        let text = String(decoding: input, as: Unicode.ASCII.self)
        return text.contains(/E:[0-9]+:"/)
            && text.matches(of: /E:[0-9]+:"/).count
                != text.matches(of: /E:0*11:"Suit:Hearts"/).count
    }

    private func difference(in session: SessionData, from line: String) -> String? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard let key = String(validating: decodeBase64(words[0]), as: UTF8.self) else { return nil }
        guard let value = session[key] else { return "\(key) is missing" }
        let kind =
            switch value {
            case .string(let bytes): "s" + encodeBase64(bytes)
            case .int(let number): "i\(number)"
            case .double(let number): number.isNaN ? "dnan" : "d" + hex(number.bitPattern)
            case .array: "array"
            case .object: "object"
            case .null, .bool: "other"
            }
        let got = "\(kind) \(value.isTruthy)"
        return got == "\(words[1]) \(words[2])" ? nil : "\(key) is \(got), not \(words[1]) \(words[2])"
    }

    @Test func settingAndRemovingLeaveWhatPHPReads() throws {
        var generator = SessionGenerator(seed: PHP.goldenSeed(6))
        var inputs: [[UInt8]] = []
        for index in 0..<PHP.goldenCount {
            let before = generator.session(mayBeDamaged: false)
            var after = SessionData(decoding: before)
            if index % 2 == 0 { after.set("IdUser", to: Array("42".utf8)) } else { after.remove("IdUser") }
            inputs.append(Array("\(index % 2) \(encodeBase64(before)) \(encodeBase64(after.encoded()))".utf8))
        }
        // References to the key that is set are left out: PHP sets what they refer to as well. Which of the two kinds a
        // reference to an object is depends on how many are left.
        let body = """
            [$isRemoval, $before, $after] = explode(' ', $in);
            $wasRead = read(base64_decode($before));
            if (!$wasRead) $_SESSION = [];
            $others = $_SESSION;
            $_SESSION['IdUser'] = 'marker';
            unset($others['IdUser']);
            $expected = serialize($others);
            session_abort();
            if (str_contains($expected, 'marker')) return 'aliased';
            if (!read(base64_decode($after))) return "malformed: " . base64_decode($after);
            $value = $_SESSION['IdUser'] ?? null;
            unset($_SESSION['IdUser']);
            $got = serialize($_SESSION);
            session_abort();
            if ($value !== ($isRemoval ? null : '42')) return 'value: ' . serialize($value);
            return strtr($got, 'R', 'r') === strtr($expected, 'R', 'r') ? 'same' : "$got instead of $expected";
            """
        let outputs = try PHP.map(inputs, body: body, prelude: Self.prelude, options: Self.options)
        for (input, output) in zip(inputs, outputs) {
            let output = String(decoding: output, as: UTF8.self)
            let words = String(decoding: input, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            #expect(
                output == "same" || output == "aliased",
                "\(describe(decodeBase64(String(words[1])))) to \(describe(decodeBase64(String(words[2]))))"
            )
        }
        #expect(outputs.count { $0 == Array("same".utf8) } > outputs.count / 2)
    }

    /// What the table of cases says is what PHP does.
    ///
    /// Arrays, objects and doubles that no integer holds are nobody here,
    /// while PHP fails on the former two and makes a text with an exponent of the latter.
    @Test func tableIsTrueOfPHP() throws {
        let body = """
            if (!read($in)) return 'malformed';
            $id = $_SESSION['IdUser'] ?? null;
            session_abort();
            if (!$id || is_array($id) || is_object($id) || is_float($id) && !is_finite($id) || $id === 1e25) return 'nobody';
            return (string) (int) urldecode($id);
            """
        let inputs = SessionReadingTests.cases.map(\.bytes)
        let outputs = try PHP.map(inputs, body: body, prelude: Self.prelude, options: Self.options)
        for (test, output) in zip(SessionReadingTests.cases, outputs) {
            let expected = test.isReadable ? test.user.map(String.init) ?? "nobody" : "malformed"
            #expect(String(decoding: output, as: UTF8.self) == expected, "\(test.origin)")
        }
    }

    private func hex(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
