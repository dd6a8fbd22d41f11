/// Which of the three backends a request is for, by the name of the script that it would have run under PHP.
enum Endpoint: Equatable {
    /// The tutorial's `index.php`, with its field `command`.
    case commands
    /// `jsonsignup.php` of the smaller pair.
    case signUp
    /// `jsonlogin2.php` of the smaller pair.
    case logIn

    /// Takes the last part of `SCRIPT_NAME`; whatever is none of the pair's is the tutorial's.
    init(scriptName: [UInt8]?) {
        switch scriptName?.split(separator: UInt8(ascii: "/")).last.map({ String(decoding: $0, as: UTF8.self) }) {
        case "jsonsignup.php": self = .signUp
        case "jsonlogin2.php": self = .logIn
        default: self = .commands
        }
    }
}
