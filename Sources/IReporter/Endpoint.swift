/// Which of the three backends a request is for, by the name of the script that it would have run under PHP.
enum Endpoint: Equatable {
    /// The tutorial's `index.php`, with its field `command`.
    case commands
    /// `jsonsignup.php` of the smaller pair.
    case pairSignUp
    /// `jsonlogin2.php` of the smaller pair.
    case pairLogIn

    /// Takes the last part of `SCRIPT_NAME`; whatever is none of the pair's is the tutorial's.
    init(scriptName: [UInt8]?) {
        let path = scriptName ?? []
        let slash = UInt8(ascii: "/")
        let upToName = path.prefix((path.lastIndex { $0 != slash } ?? -1) + 1)
        let name = upToName.suffix(from: (upToName.lastIndex(of: slash) ?? -1) + 1)
        if name.elementsEqual("jsonsignup.php".utf8) {
            self = .pairSignUp
        } else if name.elementsEqual("jsonlogin2.php".utf8) {
            self = .pairLogIn
        } else {
            self = .commands
        }
    }
}
