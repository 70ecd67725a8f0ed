internal import PluginKit

/// Errors of the player in a view.
struct ErrorMeter {
    /// Whether a fatal error that is no business exception was met.
    private(set) var hasFailed = false
    /// Whether it was met before the first frame.
    private var hasFailedAtStart = false
    /// Whether a business exception was met.
    private var hasBusinessException = false

    /// A fatal error was met.
    mutating func failed(isBusiness: Bool, isStarted: Bool) {
        if isBusiness {
            hasBusinessException = true
        } else {
            hasFailed = true
            hasFailedAtStart = hasFailedAtStart || !isStarted
        }
    }

    /// Writes them into the record of the whole view.
    func write(to record: RecordBuilder) {
        record.set("playback_failure", hasFailed)
        record.set("video_startup_failure", hasFailedAtStart)
        record.set("business_exception", hasBusinessException)
    }

    /// The fields that an error has.
    static let fields: [Field] = [
        .playerErrorCode, .playerErrorMessage, .playerErrorContext, .playerErrorSeverity,
        .playerErrorBusinessException,
    ]

    /// Sets the fields to those of an error.
    static func read(_ attributes: AttributeList, to fields: inout FieldValues, isFatal: Bool, isBusiness: Bool) {
        for field in Self.fields { fields.remove(field) }
        fields.set(.playerErrorCode, attributes[.errorCode] ?? attributes[.errorID])
        fields.set(.playerErrorMessage, attributes[.errorMessage])
        fields.set(.playerErrorContext, attributes[.errorContext])
        fields.set(.playerErrorSeverity, isFatal ? "fatal" : "warning")
        if isBusiness { fields.set(.playerErrorBusinessException, true) }
    }
}
