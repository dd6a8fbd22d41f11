/// A request's form, as PHP's `$_POST` and `$_FILES` would show it.
public struct Form: Sendable, Equatable {
    /// Whether the body was taken.
    public internal(set) var outcome = FormOutcome.complete
    /// The files in the order in which the receiver got them.
    public internal(set) var files: [UploadedFile] = []
    var fields = FormFields()

    /// A form without fields and files.
    public init() {}

    /// Whether `$_POST` would be empty.
    public var hasNoFields: Bool { fields.isEmpty }

    /// The value of the field `name`, or nil if it is missing or an array.
    /// - Parameter name: the name as PHP has it, that is without spaces, dots and brackets.
    public func string(_ name: String) -> [UInt8]? {
        fields.string(name)
    }

    /// The file that PHP's `$_FILES` would show under `name`, which is the last of that name.
    /// - Parameter name: the name as PHP has it.
    public func file(_ name: String) -> UploadedFile? {
        files.last { $0.part.name.elementsEqual(name.utf8) }
    }
}

/// Whether a form's body was taken.
public enum FormOutcome: Sendable, Equatable {
    /// The body was read to its end; if it was malformed, the form has what PHP would make of it.
    case complete
    /// The body goes beyond one of the ``FormLimits``; the form has no fields and its files are not to be kept.
    case tooLarge
}
