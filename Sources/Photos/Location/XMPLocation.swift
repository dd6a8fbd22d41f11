/// The position in XMP metadata: the properties that mirror the GPS directory, and their relatives.
enum XMPLocation {
    /// What has to be replaced so that an XMP packet holds no position.
    ///
    /// - Parameter parts: Where the packet's text stands, in the order of the text.
    static func patches(for parts: [Range<Int>], in bytes: Span<UInt8>) -> [Patch] {
        var text: [UInt8] = []
        for part in parts { text += bytes.copy(part) }
        let properties = properties(in: text.span)
        guard properties.contains(where: \.tellsPlace) else { return [] }
        for property in properties {
            for position in property.range { text[position] = UInt8(ascii: " ") }
        }
        var patches: [Patch] = []
        var position = 0
        for part in parts {
            patches.append(Patch(offset: part.lowerBound, bytes: Array(text[position..<position + part.count])))
            position += part.count
        }
        return patches
    }

    /// A property about the position: an attribute with its value, or an element with its contents.
    private struct Property {
        var range: Range<Int>
        /// Whether it tells a place, and not only when or with which version of the standard it was recorded.
        var tellsPlace: Bool
    }

    /// Properties about the position of one packet that are kept: a made-up one could have millions.
    private static let greatestCount = 4096

    /// Finds the properties about the position; all of the text counts as one where there is more than in any photo.
    private static func properties(in text: Span<UInt8>) -> [Property] {
        var scanner = XMLScanner()
        var properties: [Property] = []
        /// The element about the position that is open, and how many elements are open since.
        var open: (property: Property, depth: Int)?
        while let tag = scanner.next(in: text) {
            guard properties.count <= greatestCount else { break }
            if var element = open {
                element.depth += tag.depthChange
                if element.depth > 0 {
                    open = element
                    continue
                }
                element.property.range = element.property.range.lowerBound..<tag.range.upperBound
                properties.append(element.property)
                open = nil
            } else if tag.kind != .end, let tellsPlace = kind(of: tag.name, in: text) {
                let property = Property(range: tag.range, tellsPlace: tellsPlace)
                if tag.kind == .empty { properties.append(property) } else { open = (property, 1) }
            } else {
                for attribute in tag.attributes {
                    guard let tellsPlace = kind(of: attribute.name, in: text) else { continue }
                    properties.append(Property(range: attribute.range, tellsPlace: tellsPlace))
                }
            }
        }
        guard !scanner.isExcessive, properties.count <= greatestCount else {
            return [Property(range: 0..<text.count, tellsPlace: true)]
        }
        // A packet cut within the element: what is there of it goes.
        if let open {
            properties.append(Property(range: open.property.range.lowerBound..<text.count, tellsPlace: true))
        }
        return properties
    }

    /// Tells whether a qualified name is that of a property about the position, and if so whether it tells a place.
    ///
    /// Prefixes are only a convention, and drones have namespaces of their own, so every name that starts with `GPS`
    /// counts: `exif:GPSLatitude`, `drone-dji:GpsLongitude`.
    private static func kind(of name: Range<Int>, in text: Span<UInt8>) -> Bool? {
        // Prefix or name starts with a G, or it need not be looked at closely.
        let colon = name.first { text[$0] == UInt8(ascii: ":") } ?? name.lowerBound
        guard [name.lowerBound, colon + 1].contains(where: { (text.byte(at: $0) ?? 0) | 0x20 == UInt8(ascii: "g") })
        else { return nil }
        let qualified = String(decoding: text.copy(name), as: UTF8.self).lowercased()
        let parts = qualified.split(separator: ":", maxSplits: 1)
        guard let local = parts.last else { return nil }
        if local.hasPrefix("gps") { return !silentAboutPlace.contains(String(local)) }
        if parts.first == "geo", parts.count == 2 { return true }
        return nil
    }

    /// The properties that correspond to the tags for which `ExifLocation.holdsPosition` is false.
    private static let silentAboutPlace: Set<String> = [
        "gpsversionid", "gpstimestamp", "gpsdatestamp", "gpssatellites", "gpsstatus", "gpsmeasuremode", "gpsdop",
        "gpsspeedref", "gpsspeed", "gpstrackref", "gpstrack", "gpsimgdirectionref", "gpsimgdirection", "gpsmapdatum",
        "gpsdifferential", "gpshpositioningerror",
    ]
}
