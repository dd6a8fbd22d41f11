import Foundation
import TestSupport

/// The commands of "The switch" in `deploy/README.md`, as an administrator would copy them.
struct Guide {
    /// One numbered step.
    struct Step {
        /// Its heading, such as `3. Side by side`.
        let title: String
        /// What stands between each pair of fences.
        let blocks: [String]
    }

    let steps: [Step]
    /// The whole section.
    let text: String

    init() throws {
        let readme = try String(contentsOf: Repository.url("deploy/README.md"), encoding: .utf8)
        let sections = "\n\(readme)".split(separator: "\n## ")
        guard let section = sections.first(where: { $0.hasPrefix("The switch\n") }) else {
            throw TestFailure("deploy/README.md has no section called The switch")
        }
        text = String(section)
        steps = section.split(separator: "\n### ").dropFirst().map { part in
            let pieces = part.split(separator: "\n```\n", omittingEmptySubsequences: false)
            return Step(
                title: String(part.prefix { $0 != "\n" }),
                blocks: pieces.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
            )
        }
    }

    /// The step with a number.
    func step(_ number: Int) throws -> Step {
        guard let step = steps.first(where: { $0.title.hasPrefix("\(number). ") }) else {
            throw TestFailure("the guide has no step \(number)")
        }
        return step
    }
}
