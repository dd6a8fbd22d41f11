/// What makes a run's names its own.
enum RunToken {
    /// Ten lower-case letters and digits at random: two runs meet with a chance below one in 10^15.
    static func make() -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return String((0..<10).map { _ in alphabet[Int.random(in: 0..<36)] })
    }
}
