import Testing

@testable import Photos

@Suite struct LocationTests {
    private static let plain = Result {
        try Tool.convert("-size", "160x120", "-seed", "7", "plasma:tomato-steelblue", "jpeg:-")
    }

    /// What phones write beside the position.
    private static let usual = [
        "-EXIF:Make=Maker", "-EXIF:Model=A phone with a name of more than four bytes", "-EXIF:Orientation#=6",
        "-EXIF:DateTimeOriginal=2024:05:06 07:08:09", "-EXIF:ExposureTime=1/250", "-EXIF:UserComment=hello",
        "-IPTC:Keywords=one", "-XMP-dc:Title=A title", "-XMP-xmp:Rating=4",
    ]

    private static let position = [
        "-EXIF:GPSLatitude=48.8583701", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.2944813",
        "-EXIF:GPSLongitudeRef=E", "-EXIF:GPSAltitude=35.2", "-EXIF:GPSDateStamp=2024:05:06",
        "-EXIF:GPSTimeStamp=05:08:09", "-EXIF:GPSImgDirection=123.4",
    ]

    private static let xmpPosition = [
        "-XMP-exif:GPSLatitude=48.8583701", "-XMP-exif:GPSLongitude=2.2944813", "-XMP-exif:GPSAltitude=35.2",
        "-XMP-iptcExt:LocationShownCity=Paris", "-XMP-iptcExt:LocationShownGPSLatitude=48.85",
    ]

    /// Writes metadata into a JPEG by ExifTool.
    private static func write(_ tags: [String], into jpeg: [UInt8]) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        try folder.put(jpeg, as: "photo.jpg")
        let arguments = ["-q", "-n", "-overwrite_original"] + tags + [folder.path + "/photo.jpg"]
        _ = try Tool.run("exiftool", arguments, input: [])
        return try folder.bytes("photo.jpg")
    }

    /// All metadata that ExifTool finds, a line each.
    private static func metadata(of jpeg: [UInt8]) throws -> [String] {
        let lines = try Tool.exiftool("-a", "-G1", "-s", "-n", "-", input: jpeg)
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("[System]") && !$0.hasPrefix("[ExifTool]") }
    }

    /// What ExifTool finds wrong with the metadata.
    private static func complaints(about jpeg: [UInt8]) throws -> String {
        String(decoding: try Tool.exiftool("-a", "-validate", "-warning", "-error", "-", input: jpeg), as: UTF8.self)
    }

    /// The JPEG without its position, as it would be stored.
    private static func stripped(_ jpeg: [UInt8]) throws -> [UInt8] {
        var stored = jpeg
        stored.apply(try JPEGStructure(jpeg.span).locationPatches(in: jpeg.span))
        return stored
    }

    @Test(arguments: ["MM", "II"], [position, xmpPosition, position + xmpPosition])
    func onlyThePositionGoes(byteOrder: String, position: [String]) throws {
        let jpeg = try Self.write(["-ExifByteOrder=\(byteOrder)"] + Self.usual + position, into: Self.plain.get())
        let stored = try Self.stripped(jpeg)
        #expect(stored.count == jpeg.count)
        let before = try Self.metadata(of: jpeg)
        let after = try Self.metadata(of: stored)
        #expect(before.contains { $0.contains("GPSLatitude") })
        #expect(after == before.filter { !$0.contains("GPS") })
        #expect(try Self.complaints(about: stored) == Self.complaints(about: jpeg))
        let scan = try JPEGStructure(jpeg.span).scanStart
        #expect(stored[scan...] == jpeg[scan...])
        #expect(try JPEGStructure(stored.span).orientation == .turnedLeft)
        // Nothing is left of it in the bytes either.
        let digits = Array("48,51".utf8)
        #expect(stored.firstRange(of: digits) == nil)
    }

    @Test(arguments: [
        [], usual, usual + ["-EXIF:GPSDateStamp=2024:05:06", "-EXIF:GPSVersionID=2.3.0.0", "-EXIF:GPSImgDirection=9"],
        usual + ["-XMP-exif:GPSTimeStamp=2024:05:06 07:08:09", "-XMP-dc:Description=GPSLatitude=48"],
    ])
    func photoWithoutAPositionStaysBitForBit(tags: [String]) throws {
        let plain = try Self.plain.get()
        let jpeg = tags.isEmpty ? plain : try Self.write(tags, into: plain)
        #expect(try JPEGStructure(jpeg.span).locationPatches(in: jpeg.span) == [])
    }

    @Test func strippingTwiceChangesNothingMore() throws {
        let jpeg = try Self.write(Self.usual + Self.position + Self.xmpPosition, into: Self.plain.get())
        let stored = try Self.stripped(jpeg)
        #expect(try Self.stripped(stored) == stored)
    }

    @Test func furtherImagesLoseItToo() throws {
        let first = try Self.write(Self.position + Self.usual, into: Self.plain.get())
        let second = try Self.write(Self.position + Self.xmpPosition, into: Self.plain.get())
        let film = Array("\0\0\0\u{18}ftypmp42 a film".utf8)
        let stored = try Self.stripped(first + second + film)
        #expect(try stored == Self.stripped(first) + Self.stripped(second) + film)
    }

    @Test func imagesOfTheMultiPictureIndexLoseItToo() throws {
        let second = try Self.write(Self.position, into: Self.plain.get())
        let plain = try Self.plain.get()
        let gap: [UInt8] = [1, 2, 3]
        // The index names the second image's place from its own TIFF header on, which stands at 10 in the file.
        func index(offset: Int) -> [UInt8] {
            func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
            let entry: [UInt8] = [0xB0, 0x02, 0, 7] + number(32) + number(26)
            let header = Array("MPF\0MM\0*".utf8) + number(8) + [0, 1] + entry + number(0)
            return header + Array(repeating: 0, count: 16) + number(0) + number(second.count) + number(offset)
                + number(0)
        }
        func file(offset: Int) -> [UInt8] {
            MadeJPEG().segment(0xE2, index(offset: offset)).bytes + plain[2...] + gap
        }
        let start = file(offset: 0).count
        let first = file(offset: start - 10)
        #expect(try Self.stripped(first + second) == first + Self.stripped(second))
    }

    @Test func propertyAcrossTwoPartsOfExtendedXMP() throws {
        let parts = ["<x a='1' ", "exif:GPSLatitude='48,51.5N'", " b='2'>", "<exif:GPSLongitude>2</exif:GPSLongitude>"]
        let text = Array(parts.joined().utf8)
        let expected = Array((parts[0] + Self.blank(parts[1]) + parts[2] + Self.blank(parts[3])).utf8)
        func part(_ offset: Int, _ part: ArraySlice<UInt8>) -> [UInt8] {
            Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(repeating: UInt8(ascii: "A"), count: 32)
                + [0, 0, 0, UInt8(text.count), 0, 0, 0, UInt8(offset)] + part
        }
        for cut in 1..<text.count {
            // In the wrong order, too.
            let jpeg = MadeJPEG().segment(0xE1, part(cut, text[cut...])).segment(0xE1, part(0, text[..<cut])).frame()
            let file = jpeg.scan().bytes
            let stored = try Self.stripped(file)
            // Each part stands behind a segment's header of 4 bytes, a signature of 35 and 40 bytes more.
            let second = 2 + 79
            let first = second + text.count - cut + 79
            #expect(stored[second...].starts(with: expected[cut...]), "cut at \(cut)")
            #expect(stored[first...].starts(with: expected[..<cut]), "cut at \(cut)")
        }
    }

    /// As many spaces as `text` has letters.
    private static func blank(_ text: String) -> String { String(repeating: " ", count: text.utf8.count) }

    private static let packets: [(String, String)] = [
        ("<x exif:GPSLatitude=\"1\"/>", "<x                     />"),
        ("<x exif:GPSLatitude = '1' y='2'>", "<x " + blank("exif:GPSLatitude = '1'") + " y='2'>"),
        ("<exif:GPSLatitude/>", "                   "),
        ("<exif:GPSLatitude><a>1</a><b/></exif:GPSLatitude>z", String(repeating: " ", count: 49) + "z"),
        ("<drone:GpsLatitude>1</drone:GpsLatitude>", String(repeating: " ", count: 40)),
        ("<geo:lat>1</geo:lat>", String(repeating: " ", count: 20)),
        // Cut within: what is there goes.
        ("a<exif:GPSLatitude>1", "a                   "),
        // Not properties.
        ("<!-- <exif:GPSLatitude>1</exif:GPSLatitude> -->", "<!-- <exif:GPSLatitude>1</exif:GPSLatitude> -->"),
        ("<!-- > <exif:GPSLatitude>1</exif:GPSLatitude> -->", "<!-- > <exif:GPSLatitude>1</exif:GPSLatitude> -->"),
        ("<a>exif:GPSLatitude=1</a>", "<a>exif:GPSLatitude=1</a>"),
        ("<a b='<exif:GPSLatitude>'/>", "<a b='<exif:GPSLatitude>'/>"),
        ("<![CDATA[<exif:GPSLatitude>]]>", "<![CDATA[<exif:GPSLatitude>]]>"),
        ("<?x <exif:GPSLatitude>?>", "<?x <exif:GPSLatitude>?>"),
        // About time only; but it goes along with the position.
        ("<x exif:GPSTimeStamp='1'/>", "<x exif:GPSTimeStamp='1'/>"),
        ("<x exif:GPSTimeStamp='1' exif:GPSLatitude='1'/>", "<x " + String(repeating: " ", count: 42) + "/>"),
        // A name without a value, which is no XML.
        ("<x y><exif:GPSLatitude>1</exif:GPSLatitude>", "<x y>" + String(repeating: " ", count: 38)),
        ("<x y exif:GPSLatitude='1'>", "<x y " + String(repeating: " ", count: 20) + ">"),
        ("<x exif:gpsLATITUDE='1'/>", "<x                     />"),
        ("", ""), ("<", "<"), ("<x a=", "<x a="), ("<x a='", "<x a='"), ("</", "</"), ("<!", "<!"), ("<!--", "<!--"),
    ]

    @Test(arguments: packets)
    func blanksPropertiesInXMP(packet: String, expected: String) {
        var text = Array(packet.utf8)
        text.apply(XMPLocation.patches(for: [0..<text.count], in: text.span))
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    @Test func packetWithMoreThanAnyPhotoHasIsBlanked() {
        let attributes = String(repeating: "a='' ", count: 4096)
        let properties = String(repeating: "<gps/>", count: 4096)
        for (packet, expected) in [
            ("<x \(attributes)/>", "<x \(attributes)/>"),
            ("<x \(attributes) b=''/><y/>", Self.blank("<x \(attributes) b=''/><y/>")),
            ("<y/>\(properties)", "<y/>" + Self.blank(properties)),
            ("<y/>\(properties)<gps/><y/>", Self.blank("<y/>\(properties)<gps/><y/>")),
        ] {
            var text = Array(packet.utf8)
            text.apply(XMPLocation.patches(for: [0..<text.count], in: text.span))
            #expect(String(decoding: text, as: UTF8.self) == expected)
        }
    }

    @Test func positionAmongOtherEntriesAndValuesDoesNotTakeThemAlong() throws {
        // A maker's name at 68, and a latitude that claims to be there too, as after a careless edit.
        let header: [UInt8] = Array("MM\0*".utf8) + [0, 0, 0, 8]
        let make: [UInt8] = [0x01, 0x0F, 0, 2, 0, 0, 0, 24, 0, 0, 0, 68]
        let pointer: [UInt8] = [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 50]
        let later: [UInt8] = [0x9C, 0x9F, 0, 1, 0, 0, 0, 4, 1, 2, 3, 4]
        let nextDirectory: [UInt8] = [0, 0, 0, 92]
        let latitude: [UInt8] = [0, 2, 0, 5, 0, 0, 0, 3, 0, 0, 0, 68]
        let position = [0, 1] + latitude + [0, 0, 0, 0]
        let name = Array("A maker of good cameras\0".utf8)
        let before = header + [0, 3] + make + pointer + later + nextDirectory
        let exif = before + position + name + [0, 0, 0, 0, 0, 0]
        let file = MadeJPEG().segment(0xE1, Array("Exif\0\0".utf8) + exif).frame().scan().bytes
        let stripped = try Self.stripped(file)
        let shortened = header + [0, 2] + make + later + nextDirectory
        let expected = shortened + Array(repeating: 0, count: 12 + position.count) + name + [0, 0, 0, 0, 0, 0]
        #expect(Array(stripped[12..<12 + exif.count]) == expected)
    }

    @Test func pointersInACircleOrOutsideAreHarmless() throws {
        let jpeg = try Self.write(Self.usual + Self.position, into: Self.plain.get())
        let structure = try JPEGStructure(jpeg.span)
        let exif = try #require(structure.segments.first { $0.kind == .exif }).payload
        // Every single byte of the directories changed, to every value that could matter.
        for position in exif {
            for value: UInt8 in [0x00, 0x01, 0x08, 0x7F, 0x80, 0xFF] {
                var odd = jpeg
                odd[position] = value
                let stored = try Self.stripped(odd)
                #expect(stored.count == odd.count)
            }
        }
    }
}
