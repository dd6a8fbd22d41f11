/// The command line of `ireporter contract`.
struct ContractArguments: Sendable {
    /// What is wrong with a command line.
    enum Invalid: Error, Equatable, CustomStringConvertible {
        case noURL
        case twoURLs(String)
        case badURL(String, ContractURL.Invalid)
        case unknownOption(String)
        case noValue(String)
        case badValue(String, String)
        case conflict(String, String)

        var description: String {
            switch self {
            case .noURL: "no URL was given"
            case .twoURLs(let text): "one URL is enough: \(text)"
            case .badURL(let text, let why): "\(text): \(why)"
            case .unknownOption(let option): "unknown option \(option)"
            case .noValue(let option): "\(option) needs a value"
            case .badValue(let option, let value): "\(option) needs a whole number above 0, not \(value)"
            case .conflict(let first, let second): "\(first) and \(second) do not go together"
            }
        }
    }

    /// What is printed for `--help`.
    static let usage = """
        Usage: ireporter contract URL [options]

          URL               the backend's directory, such as http://127.0.0.1:8080/iReporter/

          --against URL     send everything to this backend too, and show where the two differ
          --original        expect what the original PHP does where this backend differs on purpose
          --only PATTERN    only cases whose name contains PATTERN, or matches it if it has a *
          --api-key KEY     the backend asks for API keys and takes this one: run the cases for that
          --attempts N      also see that log-ins are refused after N failures (may lock out this address)
          --timeout SECONDS how long one request may take; 30 by default
          --json            print the results as JSON
          --yes             do not ask for this option when the host is not this machine
          --list            print the names of the cases and do nothing
          --help            print this

        Exit status: 0 everything held, 1 something differs, 2 the call is wrong, or a backend cannot be reached.

        """

    var url: ContractURL?
    var options = ContractRunner.Options()
    var printsJSON = false
    var isConfirmed = false
    var lists = false
    var wantsHelp = false

    init(_ arguments: [String]) throws(Invalid) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--against": options.against = try ContractArguments.url(try value(argument, &rest))
            case "--only": options.only = try value(argument, &rest)
            case "--api-key": options.apiKey = try value(argument, &rest)
            case "--attempts": options.attempts = try number(argument, &rest)
            case "--timeout": options.timeout = .seconds(try number(argument, &rest))
            case "--original": options.asOriginal = true
            case "--json": printsJSON = true
            case "--yes": isConfirmed = true
            case "--list": lists = true
            case "--help", "-h": wantsHelp = true
            default:
                guard !argument.hasPrefix("-") else { throw .unknownOption(argument) }
                guard url == nil else { throw .twoURLs(argument) }
                url = try ContractArguments.url(argument)
            }
        }
        if options.asOriginal && options.against != nil { throw .conflict("--original", "--against") }
        if url == nil && !lists && !wantsHelp { throw .noURL }
    }

    private static func url(_ text: String) throws(Invalid) -> ContractURL {
        do throws(ContractURL.Invalid) {
            return try ContractURL(text)
        } catch {
            throw .badURL(text, error)
        }
    }

    private func value(_ option: String, _ rest: inout ArraySlice<String>) throws(Invalid) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw .noValue(option) }
        return value
    }

    private func number(_ option: String, _ rest: inout ArraySlice<String>) throws(Invalid) -> Int {
        let text = try value(option, &rest)
        guard let number = Int(text), number > 0, number <= 100_000 else { throw .badValue(option, text) }
        return number
    }
}
