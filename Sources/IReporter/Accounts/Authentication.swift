/// What comparing a password with the accounts of a name gave.
enum Authentication: Equatable {
    /// It opens this account.
    case account(Account)
    /// It opens none of these, by their numbers.
    case wrong([Int64])
    /// It was not tried: there were too many attempts at the accounts of this name.
    case throttled
}
