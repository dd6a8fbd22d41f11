/// What one of the threads that serve requests has for itself.
final class ServingThread {
    /// What it is busy with.
    let occupation: Occupation
    /// Its part in the turns.
    let turn: Turn
    /// What reads its requests.
    var reader = RequestReader()
    /// A reply's records as they are written; used again for each.
    var output: [UInt8] = []

    init(_ occupation: Occupation, _ turn: Turn) {
        self.occupation = occupation
        self.turn = turn
    }
}
