/// A row of the table `login`, without its password.
struct Account: Equatable {
    /// `IdUser`.
    let id: Int64
    /// The user name as stored, which may differ in case from what the client sent.
    let username: [UInt8]
}
