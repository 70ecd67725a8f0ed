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

    /// The value of an attribute that only some actions have.
    func value(of attribute: StandardAttribute) -> EventValue? {
        switch (attribute, self) {
        case (.bufferType, .buffer(let type)): .text(UTF8Text(type.text))
        case (.shift, .rendition(let shift?)): .text(UTF8Text(shift.text))
        case (.errorMessage, .error(let message, _, _)): message.map(EventValue.text)
        case (.errorDomain, .error(_, let domain, _)): domain.map(EventValue.text)
        case (.errorCode, .error(_, _, let code)): code.map(EventValue.int)
        default: nil
        }
    }
}
