import PHPSemantics
import Testing

@testable import IReporter

@Suite struct PhotoListTests {
    /// A row as the database sends it.
    private struct Row {
        var id: Int64
        var columns: [[UInt8]?]

        init(_ id: Int64, _ columns: [UInt8]?...) {
            self.id = id
            self.columns = columns
        }
    }

    private func body(_ rows: [Row]) -> String {
        var list = PhotoList()
        for row in rows { append(row, to: &list) }
        #expect(list.ids == rows.map(\.id))
        return String(decoding: list.finish(), as: UTF8.self)
    }

    private func append(_ row: Row, to list: inout PhotoList) {
        let empty: [UInt8] = []
        let (photo, title, user, name) = (row.columns[0], row.columns[1], row.columns[2], row.columns[3])
        let (photoText, titleText, userText, nameText) = (photo ?? empty, title ?? empty, user ?? empty, name ?? empty)
        list.append(
            row.id,
            photo: photo == nil ? nil : photoText.span,
            title: title == nil ? nil : titleText.span,
            user: user == nil ? nil : userText.span,
            name: name == nil ? nil : nameText.span
        )
    }

    private func json(_ column: [UInt8]?) -> String {
        guard let column else { return "null" }
        var json: [UInt8] = []
        json.appendJSONString(column)
        return String(decoding: json, as: UTF8.self)
    }

    private func object(_ row: Row) -> String {
        let values = row.columns.map(json)
        return #"{"IdPhoto":\#(values[0]),"title":\#(values[1]),"IdUser":\#(values[2]),"username":\#(values[3])}"#
    }

    @Test func noRows() {
        #expect(body([]) == #"{"result":[]}"#)
    }

    @Test func oneRow() {
        let row = Row(9, Array("9".utf8), Array("Été \"1/2\"".utf8), Array("7".utf8), Array("bob".utf8))
        let expected = #"{"IdPhoto":"9","title":"\u00c9t\u00e9 \"1\/2\"","IdUser":"7","username":"bob"}"#
        #expect(body([row]) == #"{"result":[\#(expected)]}"#)
    }

    @Test func nullsAndEmptyColumns() {
        let rows = [
            Row(3, nil, nil, nil, nil), Row(2, [], [], [], []), Row(1, Array("1".utf8), nil, Array("7".utf8), []),
        ]
        let objects = [
            #"{"IdPhoto":null,"title":null,"IdUser":null,"username":null}"#,
            #"{"IdPhoto":"","title":"","IdUser":"","username":""}"#,
            #"{"IdPhoto":"1","title":null,"IdUser":"7","username":""}"#,
        ]
        #expect(body(rows) == #"{"result":[\#(objects.joined(separator: ","))]}"#)
    }

    /// Room is made for a row at once: columns that become six times as long, alone and together.
    @Test(arguments: [0, 1, 7, 8, 45, 100, 1000, 70_000])
    func columnsThatGrowMost(length: Int) {
        let long = [UInt8](repeating: 1, count: length)
        let rows = [
            Row(7, long, long, long, long), Row(6, long, nil, nil, nil), Row(5, nil, long, nil, nil),
            Row(4, nil, nil, long, nil), Row(3, nil, nil, nil, long), Row(2, nil, [0xff], nil, [0xff]),
            Row(1, [], [], [], long),
        ]
        #expect(body(rows) == #"{"result":[\#(rows.map(object).joined(separator: ","))]}"#)
    }

    /// More than there is room for at first.
    @Test func manyRows() {
        let rows = (0..<500 as Range<Int64>).reversed().map { id in
            let title = Array("Evening in the hills / été \(id)".utf8)
            return Row(id, Array("\(id)".utf8), title, Array("7".utf8), Array("bob".utf8))
        }
        #expect(body(rows) == #"{"result":[\#(rows.map(object).joined(separator: ","))]}"#)
    }
}
