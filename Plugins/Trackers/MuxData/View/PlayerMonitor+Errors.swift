internal import PluginKit

// Errors of the player.
extension PlayerMonitor {
    /// The player met an error.
    ///
    /// A fatal one stays in the player data of every later event of the view; a warning is told by its own event alone.
    func error(_ attributes: AttributeList) {
        guard isViewOpen else { return }
        let isFatal = attributes[.errorFatal]?.bool ?? true
        let isBusiness = attributes["player_error_business_exception"]?.bool ?? false
        if isFatal { endRebuffer() }
        let earlier = Self.errorFields.map { fields[$0] }
        setError(attributes, isFatal: isFatal, isBusiness: isBusiness)
        guard isFatal else {
            emit(.error, isUrgent: false)
            for (field, value) in zip(Self.errorFields, earlier) {
                fields.set(field, value)
            }
            return
        }
        metrics.hasBusinessException = metrics.hasBusinessException || isBusiness
        if !isBusiness {
            metrics.hasFailedAtStart = metrics.hasFailedAtStart || metrics.timeToFirstFrame == nil
            metrics.hasFailed = true
        }
        closeScalingSample()
        if !isInBreak { phase = .paused }
        clock.stop()
        emit(.error)
    }

    private func setError(_ attributes: AttributeList, isFatal: Bool, isBusiness: Bool) {
        for field in Self.errorFields {
            fields.remove(field)
        }
        take(.playerErrorCode, attributes[.errorCode] ?? attributes[.errorID])
        take(.playerErrorMessage, attributes[.errorMessage])
        take(.playerErrorContext, attributes[.errorContext])
        fields.set(.playerErrorSeverity, isFatal ? "fatal" : "warning")
        if isBusiness { fields.set(.playerErrorBusinessException, true) }
    }

    private static let errorFields: [Field] = [
        .playerErrorCode, .playerErrorMessage, .playerErrorContext, .playerErrorSeverity,
        .playerErrorBusinessException,
    ]
}
