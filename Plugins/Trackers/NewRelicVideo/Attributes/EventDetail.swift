package import PluginKit

/// What an event says besides what every event says.
package enum EventDetail {
    /// Nothing.
    case none
    /// Why playback waits for data.
    case buffer(BufferType)
    /// Whether the new rendition is better, nil when that is not known.
    case rendition(RenditionShift?)
    /// What failed, as far as it is known.
    case error(message: UTF8Text?, domain: UTF8Text?, code: Int64?)
    /// The attributes of the application's own event.
    case custom(AttributeList)
    /// The attributes that a command or a custom tracker gives its own event.
    case given([AttributeSetting])
    /// Time played since the heartbeat before, ms (generation B).
    case heartbeat(elapsed: Int64)
    /// The figures of the view.
    case quality(QualityFigures)

    /// Whether the action is the application's own.
    var isOwn: Bool {
        switch self {
        case .custom, .given: true
        default: false
        }
    }

    /// The value of an attribute that only some actions have.
    func value(of attribute: StandardAttribute) -> EventValue? {
        switch (attribute, self) {
        case (.bufferType, .buffer(let type)): .text(UTF8Text(type.text))
        case (.shift, .rendition(let shift?)): .text(UTF8Text(shift.text))
        case (.errorMessage, .error(let message, _, _)): message.map(EventValue.text)
        case (.errorDomain, .error(_, let domain, _)): domain.map(EventValue.text)
        case (.errorCode, .error(_, _, let code)): code.map(EventValue.int)
        case (.elapsedTime, .heartbeat(let elapsed)): .int(elapsed)
        case (_, .quality(let figures)): figures.value(of: attribute)
        default: nil
        }
    }
}
