internal import Foundation
internal import Glibc
internal import IReporter

private let checkUsage = """
    Usage: ireporter check [--nginx FILE] [--quiet]

    Looks at everything that the worker needs, without serving and without changing anything: the settings, the
    database and its tables, the upload folder, the sessions, the socket. For each problem it says what to do.
    Run it with the worker's environment, as the worker's user.

      --nginx FILE  compare nginx's configuration, such as /etc/nginx/nginx.conf, with the settings
      --quiet       print problems only
      --help        this text

    Exit status: 0 no problem, 1 problems, 2 a setting or argument is wrong.
    """

/// `ireporter check`: says what is in force, what is wrong, and what to do about it.
///
/// - Returns: the exit code.
func check(_ arguments: [String]) -> Int32 {
    var nginx: String?
    var isQuiet = false
    var rest = arguments[...]
    while let argument = rest.popFirst() {
        switch argument {
        case "--nginx":
            guard let file = rest.popFirst() else {
                complain("--nginx needs a file", hint: "ireporter check --nginx /etc/nginx/nginx.conf")
                return ExitCode.usage
            }
            nginx = file
        case "--quiet": isQuiet = true
        case "--help", "-h":
            print(checkUsage)
            return ExitCode.success
        default:
            complain("unknown option '\(argument)'", hint: "ireporter check --help")
            return ExitCode.usage
        }
    }
    let environment = ProcessInfo.processInfo.environment
    do throws(SettingsError) {
        let settings = try Settings(environment: environment, processors: ProcessInfo.processInfo.activeProcessorCount)
        try settings.requireComplete()
        return check(settings, environment, nginx: nginx, isQuiet: isQuiet)
    } catch {
        complain(error.description, hint: hintForSettings)
        return ExitCode.usage
    }
}

private func check(_ settings: Settings, _ environment: [String: String], nginx: String?, isQuiet: Bool) -> Int32 {
    let paint = Paint(isColoured: isatty(1) == 1 && environment["NO_COLOR", default: ""].isEmpty)
    if !isQuiet {
        print("settings")
        for setting in settings.inForce(environment) {
            let value =
                setting.isSet
                ? "=\(setting.value)" : setting.value.isEmpty ? " (not set)" : "=\(setting.value) (default)"
            print("  \(setting.name)\(value)")
        }
    }
    var problems = 0
    Checkup(settings, nginxFile: nginx).run { section in
        let findings = section.findings.filter { $0.isProblem || !isQuiet }
        problems += findings.count(where: \.isProblem)
        if !findings.isEmpty {
            print(section.title)
        }
        for finding in findings {
            switch finding.verdict {
            case .fine:
                print("  \(paint.green("ok"))       \(finding.text)")
            case .advice(let cure):
                print("  \(paint.yellow("advice"))   \(finding.text)\n           -> \(cure)")
            case .problem(let cure):
                print("  \(paint.red("problem"))  \(finding.text)\n           -> \(cure)")
            }
        }
    }
    if problems > 0 || !isQuiet {
        print(problems == 0 ? "no problems" : problems == 1 ? "1 problem" : "\(problems) problems")
    }
    return problems == 0 ? ExitCode.success : ExitCode.failure
}

extension Finding {
    fileprivate var isProblem: Bool {
        if case .problem = verdict { true } else { false }
    }
}

/// Colours, where they are wanted.
private struct Paint {
    let isColoured: Bool

    func red(_ text: String) -> String { paint(text, 31) }
    func yellow(_ text: String) -> String { paint(text, 33) }
    func green(_ text: String) -> String { paint(text, 32) }

    private func paint(_ text: String, _ colour: Int) -> String {
        isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}
