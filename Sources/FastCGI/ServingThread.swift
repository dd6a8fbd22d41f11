/// What one of the threads that serve requests has for itself.
final class ServingThread {
    /// What it is busy with.
    let occupation: Occupation
    /// Its part in the turns.
    let turn: Turn
    /// Body bytes as they are read; used again for each request, as the next.
    var input = [UInt8](repeating: 0, count: 65_536)
    /// A reply's records as they are written.
    var output: [UInt8] = []

    init(_ occupation: Occupation, _ turn: Turn) {
        self.occupation = occupation
        self.turn = turn
    }
}
