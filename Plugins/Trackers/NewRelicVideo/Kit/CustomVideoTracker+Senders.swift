public import PluginKit

/// The senders of a custom tracker: each asks the state machine, and says nothing when the step is not legal.
extension CustomVideoTracker {
    /// The player is there; said each time.
    public func sendPlayerReady() { send { $0.sendPlayerReady(at: $1) } }

    /// A stream is requested.
    public func sendRequest() { send { $0.sendRequest(at: $1) } }

    /// The requested stream starts.
    public func sendStart() { send { $0.sendStart(at: $1) } }

    /// The stream ends, and with it the view.
    public func sendEnd() { send { $0.sendEnd(at: $1) } }

    /// Playback is paused.
    public func sendPause() { send { $0.sendPause(at: $1) } }

    /// Playback goes on after a pause.
    public func sendResume() { send { $0.sendResume(at: $1) } }

    /// A seek begins.
    public func sendSeekStart() { send { $0.sendSeekStart(at: $1) } }

    /// The seek is over.
    public func sendSeekEnd() { send { $0.sendSeekEnd(at: $1) } }

    /// Playback waits for data.
    public func sendBufferStart() { send { $0.sendBufferStart(at: $1) } }

    /// The data is there.
    public func sendBufferEnd() { send { $0.sendBufferEnd(at: $1) } }

    /// The tracker is at work; the kit calls it.
    public func sendHeartbeat() { send { $0.sendHeartbeat(at: $1) } }

    /// An ad break begins.
    public func sendAdBreakStart() { send { $0.sendAdBreakStart(at: $1) } }

    /// The ad break is over.
    public func sendAdBreakEnd() { send { $0.sendAdBreakEnd(at: $1) } }

    /// A quarter of the ad has been shown.
    public func sendAdQuartile() { send { $0.sendAdQuartile(at: $1) } }

    /// The viewer clicked on the ad.
    public func sendAdClick() { send { $0.sendAdClick(at: $1) } }

    /// The rendition changed, to a better one, a worse one, or one of which neither can be said.
    public func sendRenditionChange(isBetter: Bool? = nil) {
        send { $0.sendRenditionChange(isBetter.map { $0 ? .up : .down }, at: $1) }
    }

    /// Something failed; what is not known is left out.
    public func sendError(message: UTF8Text? = nil, domain: UTF8Text? = nil, code: Int64? = nil) {
        send { $0.sendError(message: message, domain: domain, code: code, at: $1) }
    }

    /// An event of its own, whose action has 1 to 255 bytes.
    public func sendEvent(_ action: String, _ attributes: [(name: String, value: PlainValue)] = []) {
        let name = KeptText(action)
        guard let text = name.text, (1...Limits.nameBytes).contains(text.count) else { return }
        send { $0.sendEvent(text, attributes.map { AttributeSetting($0.name, $0.value) }, at: $1) }
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

    /// Takes the changed attributes back.
    func giveBack() -> EventAttributes {
        var taken = EventAttributes.none
        swap(&taken, &attributes)
        return taken
    }
}
