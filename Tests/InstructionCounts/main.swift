internal import Foundation
internal import IReporter
internal import PHPSemantics
internal import Photos

// What deploy/tests/instructions.sh counts the processor's instructions of:
//
//     instruction-counts form|stream|thumbnail TIMES PHOTO

let arguments = CommandLine.arguments
guard arguments.count == 4, let times = Int(arguments[2]) else {
    fatalError("usage: instruction-counts form|stream|thumbnail TIMES PHOTO")
}
var total = 0
switch arguments[1] {
case "form":
    let body = Array("command=login&username=bob&password=%C3%A9t%C3%A9+in+the+hills%21".utf8)
    for _ in 0..<times {
        var files = IgnoredFiles()
        var parser = FormParser(contentType: Array("application/x-www-form-urlencoded".utf8))
        parser.push(body.span, files: &files)
        let form = parser.finish(files: &files)
        total += form.string("password")?.count ?? 0
    }
case "stream":
    let title = Array("Evening in the hills / \u{e9}t\u{e9}".utf8)
    let name = Array("bob".utf8)
    let photo = Array("1234".utf8)
    let user = Array("77".utf8)
    for _ in 0..<times {
        var list = PhotoList()
        for id in (1...50 as ClosedRange<Int64>).reversed() {
            list.append(id, photo: photo.span, title: title.span, user: user.span, name: name.span)
        }
        total += list.finish().count
    }
case "thumbnail":
    let photo = [UInt8](try Data(contentsOf: URL(filePath: arguments[3])))
    let folder = FileManager.default.temporaryDirectory.appending(path: "instructions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let uploads = try UploadDirectory(path: folder.path)
    let preparer = PhotoPreparer()
    for _ in 0..<times {
        let file = try uploads.makeTemporary()
        try file.write(photo.span)
        _ = try preparer.prepare(file, in: uploads)
        total += file.count
    }
default:
    fatalError("unknown work \(arguments[1])")
}
print(total)
