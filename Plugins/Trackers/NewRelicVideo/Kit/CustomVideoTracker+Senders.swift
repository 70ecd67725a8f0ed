public import PluginKit

/// The senders of a custom tracker: each asks the state machine, and says nothing when the step is not legal.
extension CustomVideoTracker {
    /// The player is there; said each time.
    public func sendPlayerReady() { send(.playerReady) }

    /// A stream is requested.
    public func sendRequest() { send(.request) }

    /// The requested stream starts.
    public func sendStart() { send(.start) }

    /// The stream ends, and with it the view.
    public func sendEnd() { send(.end) }

    /// Playback is paused.
    public func sendPause() { send(.pause) }

    /// Playback goes on after a pause.
    public func sendResume() { send(.resume) }

    /// A seek begins.
    public func sendSeekStart() { send(.seekStart) }

    /// The seek is over.
    public func sendSeekEnd() { send(.seekEnd) }

    /// Playback waits for data.
    public func sendBufferStart() { send(.bufferStart) }

    /// The data is there.
    public func sendBufferEnd() { send(.bufferEnd) }

    /// The stream goes on between its start and its end; the kit calls it.
    public func sendHeartbeat() { send(.heartbeat) }

    /// An ad break begins.
    public func sendAdBreakStart() { send(.adBreakStart) }

    /// The ad break is over.
    public func sendAdBreakEnd() { send(.adBreakEnd) }

    /// A quarter of the ad has been shown.
    public func sendAdQuartile() { send(.adQuartile) }

    /// The viewer clicked on the ad.
    public func sendAdClick() { send(.adClick) }

    /// The rendition changed, to a better one, a worse one, or one of which neither can be said.
    public func sendRenditionChange(isBetter: Bool? = nil) {
        send(.renditionChange, .rendition(isBetter.map { $0 ? .up : .down }))
    }

    /// Something failed; what is not known is left out.
    public func sendError(message: UTF8Text? = nil, domain: UTF8Text? = nil, code: Int64? = nil) {
        send(.error, .error(message: message, domain: domain, code: code))
    }

    /// An event of its own, whose action has 1 to 255 bytes.
    public func sendEvent(_ action: String, _ attributes: [(name: String, value: PlainValue)] = []) {
        let name = KeptText(action)
        guard let text = name.text, (1...Limits.nameBytes).contains(text.count) else { return }
        send { $0.sendEvent(text, .given(attributes.map { AttributeSetting($0.name, $0.value) }), at: $1) }
    }
}

/// A finished event of a custom tracker, before it is sent: `preSend` may read and change it.
///
/// It is lent: after `preSend` has returned it has no attributes.
public final class CustomEvent {
    /// The action.
    public let action: String

    private var attributes: EventAttributes
    private let texts: TextPool

    init(_ action: String, _ attributes: EventAttributes, in texts: TextPool) {
        self.action = action
        self.attributes = attributes
        self.texts = texts
    }

    /// The event type.
    public var eventType: String {
        get { self["eventType"].flatMap { if case .string(let text) = $0 { text } else { nil } } ?? "" }
        set { self["eventType"] = .string(newValue) }
    }

    /// The names of the attributes, in order.
    public var names: [String] { attributes.list.map { $0.name.string } }

    /// The value of an attribute; nil takes it away, and so does a value that no event can have.
    public subscript(name: String) -> PlainValue? {
        get {
            attributes.value(of: texts.keep(name))?.plain
        }
        set {
            let name = texts.keep(name)
            if let newValue, let value = EventValue(newValue, in: texts) {
                attributes.set(name, value)
            } else {
                attributes.remove(name)
            }
        }
    }

    /// Hands the changed attributes back.
    func giveBack() -> EventAttributes {
        defer { attributes = EventAttributes(capacity: 0) }
        return attributes
    }
}
