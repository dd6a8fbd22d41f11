import Foundation
import TestSupport

@testable import ContractSuite

/// A site with people at it, who meet PHP, the worker, or both.
final class World {
    /// Who answers in it.
    enum Kind: CaseIterable {
        case php, worker, both
    }

    let kind: Kind
    private let site: Site
    private let neighbour: PHPNeighbour?
    private var jars = [CookieJar](repeating: CookieJar(), count: Deeds.people)
    private let workerURL: ContractURL
    private let phpURL: ContractURL?
    /// The ids that replies have shown, in the order of their appearance.
    private var ids: [String: [String]] = [:]

    init(_ kind: Kind, folder: String?) throws {
        self.kind = kind
        // The limit of attempts is a difference on purpose.
        site = try Site(.legacy, on: Servers.latin1(), settings: ["IREPORTER_LOGIN_ATTEMPTS": "0"])
        neighbour =
            kind == .worker
            ? nil : try PHPNeighbour(of: site, sharesSessions: true, sharesPhotos: true, folder: folder)
        workerURL = try ContractURL(site.url)
        phpURL = try neighbour.map { try ContractURL($0.url) }
    }

    /// Does something and tells what came of it, with ids counted by their appearance.
    func `do`(_ deed: Deed) throws -> String {
        switch deed.kind {
        case .forget:
            jars[deed.person] = CookieJar()
            return "forgotten"
        case .plant(let id):
            let cookie = ("Set-Cookie", "\(CookieJar.sessionName)=\(id)")
            jars[deed.person].store(HTTPReply(status: 200, headers: [cookie], body: []))
            return "planted"
        case .form(let fields, let isMultipart):
            let parts = fields.map { Multipart.Part.field($0.name, Template(bytes: $0.value)) }
            return try send(
                isMultipart
                    ? .multipart(Multipart(parts: parts)) : .form(fields.map { ($0.name, Template(bytes: $0.value)) }),
                deed
            )
        case .upload(let body):
            return try send(.multipart(body), deed)
        case .photo(let number, let before, let after):
            let known = ids["IdPhoto"] ?? []
            let id = known.isEmpty ? "1" : known[number % known.count]
            return try send(
                .form([("command", "stream"), ("IdPhoto", Template(bytes: (before + id + after).utf8))]),
                deed
            )
        }
    }

    private func send(_ body: ContractRequest.Body, _ deed: Deed) throws -> String {
        let url = (kind == .php || (kind == .both && deed.isForPHP) ? phpURL : nil) ?? workerURL
        var client = SiteClient(url, jar: jars[deed.person])
        let reply = try client.send(ContractRequest(body: body))
        jars[deed.person] = client.jar
        let headers = ["Content-Type", "Expires", "Cache-Control", "Pragma"].map { name in
            "\(name): \(reply.values(of: name))"
        }
        return "\(reply.status) \(headers.joined(separator: " "))\n\(normalized(reply.text))"
    }

    /// A reply with each id replaced by its place among those that were shown so far.
    private func normalized(_ text: String) -> String {
        var rest = text[...]
        var result = ""
        while let match = rest.firstMatch(of: #/"(IdUser|IdPhoto)":"(\d+)"/#) {
            let name = String(match.1)
            let place = place(of: String(match.2), among: name)
            result += rest[..<match.range.lowerBound] + "\"\(name)\":\"#\(place)\""
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    private func place(of id: String, among name: String) -> Int {
        let known = ids[name] ?? []
        if let place = known.firstIndex(of: id) { return place }
        ids[name] = known + [id]
        return known.count
    }

    /// Tables and photos, with ids counted in ascending order.
    func contents() throws -> String {
        let users = try site.sql("SELECT IdUser, HEX(username), HEX(pass) FROM login ORDER BY IdUser")
            .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let photos = try site.sql("SELECT IdPhoto, HEX(title), IdUser FROM photos ORDER BY IdPhoto")
            .split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let people = users.map { $0[1...].joined(separator: " ") }
        var files: Set<String> = []
        let pictures = try photos.map { row -> String in
            let owner = users.firstIndex { $0[0] == row[2] } ?? -1
            let names = ["\(row[0]).jpg", "\(row[0])-thumb.jpg"]
            files.formUnion(names)
            let sizes = try names.map { name in
                try Data(contentsOf: URL(filePath: "\(site.uploads)/\(name)"))
            }
            // Each side makes its thumbnails in its way.
            return
                "\(row[1]) of \(owner): \(sizes[0].count) bytes, \(sizes[0].hashValue), \(sizes[1].prefix(2).hashValue)"
        }
        let others = Set(try site.uploadedFiles()).subtracting(files)
        return (people + pictures + others.sorted().map { "and \($0)" }).joined(separator: "\n")
    }

    /// What the servers have to say, for whoever looks for a difference's cause.
    var log: String { "\(neighbour?.log ?? "")\n\(site.worker.standardError)" }
}
