/// How much of a request's body is taken, as PHP's settings of similar names do.
///
/// What goes beyond ``bodyBytes``, ``fieldBytes``, ``allFieldsBytes`` or ``headerBytes`` makes the whole form
/// ``FormOutcome/tooLarge``; what goes beyond a count, or has too long a name, is ignored.
public struct FormLimits: Sendable, Equatable {
    /// Bytes of the whole body (`post_max_size`).
    public var bodyBytes = 20 << 20
    /// Bytes of one file (`upload_max_filesize`); nil for as many as the body may have.
    public var fileBytes: Int?
    /// Fields (`max_input_vars`).
    public var fields = 1000
    /// Files (`max_file_uploads`).
    public var files = 20
    /// Bytes of one name; a field or a file with a longer one is ignored, since nobody asks for it.
    public var nameBytes = 1 << 10
    /// Bytes of one value.
    public var fieldBytes = 2 << 20
    /// Bytes of all names and values together, which is the memory that a form can take.
    public var allFieldsBytes = 8 << 20
    /// Bytes of one part's header.
    public var headerBytes = 64 << 10
    /// Pairs of brackets in a name (`max_input_nesting_level`).
    public var nestingLevels = 64

    /// Limits that all have their defaults.
    public init() {}
}
