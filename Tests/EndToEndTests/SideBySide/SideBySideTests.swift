import Foundation
import TestSupport
import Testing

/// PHP and the worker on the same tables, session folder and photos, with `plain` passwords: whoever answers which
/// request, clients see what they would see of either alone.
@Suite(.serialized) struct SideBySideTests {
    /// Anew for each run; `SIDE_BY_SIDE_SEED` repeats one.
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["SIDE_BY_SIDE_SEED"].flatMap { UInt64($0) }.map { [$0] }
        ?? (0..<3).map { _ in UInt64.random(in: 1...999_999_999) }

    private static let length = 250

    /// With `SIDE_BY_SIDE_PHP` naming its folder, somebody's own backend stands in for the PHP of the contract.
    private static let folder = ProcessInfo.processInfo.environment["SIDE_BY_SIDE_PHP"]

    @Test(arguments: seeds)
    func everyCommandOnEitherInAnyOrderGivesTheSame(seed: UInt64) throws {
        let worlds = try World.Kind.allCases.map { try World($0, folder: Self.folder) }
        var deeds = Deeds(seed: seed)
        var story: [String] = []
        for _ in 0..<Self.length {
            let deed = deeds.next()
            let outcomes = try worlds.map { try $0.do(deed) }
            story.append("\(deed) -> \(outcomes[0].split(separator: "\n", maxSplits: 1).last ?? "")")
            guard Set(outcomes).count == 1 else {
                Issue.record(
                    """
                    SIDE_BY_SIDE_SEED=\(seed) of \(Self.seeds): deed \(deed)
                    \(zip(worlds, outcomes).map { "\($0.kind): \($1)" }.joined(separator: "\n"))
                    before:
                    \(story.suffix(12).joined(separator: "\n"))
                    """
                )
                return
            }
        }
        let contents = try worlds.map { try $0.contents() }
        #expect(contents[0] == contents[1], "SIDE_BY_SIDE_SEED=\(seed) of \(Self.seeds)")
        #expect(contents[0] == contents[2], "SIDE_BY_SIDE_SEED=\(seed) of \(Self.seeds)")
        // Not a story of refusals alone.
        let text = story.joined(separator: "\n")
        for reply in [
            #"{"successful":1}"#, #"{"result":[{"IdUser":"#, "Authorization required", "Authorization failed",
            "Username already exists", "Upload malfunction", #"{"result":[{"IdPhoto":"#,
        ] {
            #expect(text.contains(reply), "\(reply), SIDE_BY_SIDE_SEED=\(seed)")
        }
    }
}
