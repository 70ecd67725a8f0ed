public import PluginKit

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
