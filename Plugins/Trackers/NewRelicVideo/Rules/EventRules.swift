package import PluginKit

/// The rules of a configuration at work: in their order on each event, then the obfuscation.
final class EventRules {
    private let rules: [Prepared]
    private let obfuscation: [ObfuscationRule]

    /// What has been done with events.
    private(set) var dropped: Int64 = 0

    /// A rule with its names ready to be compared.
    private struct Prepared {
        let rule: EventRule
        let isAboutStandard: [Bool]
        let conditions: [(name: KeptText, condition: EventRule.Condition)]
        let remove: [KeptText]
        let rename: [(name: KeptText, newName: KeptText)]
        let set: [(name: KeptText, value: PlainValue)]

        init(_ rule: EventRule) {
            self.rule = rule
            isAboutStandard = StandardAction.all.map { rule.actions.matches(UTF8Text($0.name)) }
            conditions = rule.conditions.map { (KeptText($0.name), $0.condition) }
            remove = rule.remove.map { KeptText($0) }
            rename = rule.rename.map { (KeptText($0.name), KeptText($0.newName)) }
            set = rule.set.map { (KeptText($0.name), $0.value) }
        }
    }

    /// Prepares rules.
    init(_ rules: [EventRule], obfuscation: [ObfuscationRule]) {
        self.rules = rules.map(Prepared.init)
        self.obfuscation = obfuscation
    }

    /// Whether there is nothing to do.
    var isEmpty: Bool { rules.isEmpty && obfuscation.isEmpty }

    /// Applies the rules; nil when the event is dropped, else whether it is delivered.
    func apply(_ action: Action, to attributes: inout EventAttributes, in texts: TextPool) -> Bool? {
        var isDelivered = true
        for rule in rules where Self.concerns(rule, action, attributes) {
            if rule.rule.drops {
                dropped += 1
                return nil
            }
            isDelivered = isDelivered && rule.rule.delivers
            Self.change(&attributes, by: rule, in: texts)
        }
        // Type and action come first and stay readable: what reads the events goes by them.
        for rule in obfuscation {
            attributes.replaceTexts(from: 2) { text in
                rule.pattern.replacing(text, with: rule.replacement).map { texts.keep($0) }
            }
        }
        return isDelivered
    }

    private static func concerns(_ rule: Prepared, _ action: Action, _ attributes: EventAttributes) -> Bool {
        let isAbout = action.standard.map { rule.isAboutStandard[$0.index] } ?? rule.rule.actions.matches(action.name)
        guard isAbout else { return false }
        return rule.conditions.allSatisfy { name, condition in
            let value = name.text.flatMap { attributes.value(of: $0) }
            switch condition {
            case .exists(let expected): return (value != nil) == expected
            case .matches(let pattern):
                guard case .text(let text)? = value else { return false }
                return pattern.matches(text)
            case .equals(let expected): return value?.plain == expected
            }
        }
    }

    private static func change(_ attributes: inout EventAttributes, by rule: Prepared, in texts: TextPool) {
        for (name, newName) in rule.rename {
            if let name = name.text, let newName = newName.text { attributes.rename(name, to: newName) }
        }
        for name in rule.remove {
            if let name = name.text { attributes.remove(name) }
        }
        for (name, value) in rule.set {
            if let name = name.text, let value = EventValue(value, in: texts) { attributes.set(name, value) }
        }
        if let type = rule.rule.eventType {
            attributes.set(UTF8Text(StandardAttribute.eventType.name), .text(texts.keep(type)))
        }
    }
}

/// What is done with some events before they are sent: the vendor's `preSend`, as configuration.
package struct EventRule: Sendable {
    /// A condition on an attribute.
    package enum Condition: Sendable {
        /// It is there with this value.
        case equals(PlainValue)
        /// It is a text that the whole expression matches.
        case matches(TextPattern)
        /// It is there, or is not.
        case exists(Bool)
    }

    /// The actions that it is about.
    package var actions: ActionFilter = .every
    /// What else has to hold, all of it.
    package var conditions: [(name: String, condition: Condition)] = []
    /// Whether the event is dropped.
    package var drops = false
    /// Whether it is delivered; if not, it is a record alone.
    package var delivers = true
    /// Attributes that are set.
    package var set: [(name: String, value: PlainValue)] = []
    /// Attributes that are taken away.
    package var remove: [String] = []
    /// Attributes that get another name.
    package var rename: [(name: String, newName: String)] = []
    /// The event type that the event gets.
    package var eventType: String?

    /// Begins with a rule that does nothing.
    package init() {}
}

/// Text that is replaced in all texts of events before they are sent.
package struct ObfuscationRule: Sendable {
    /// What is looked for.
    package let pattern: TextPattern
    /// What stands there instead.
    package let replacement: String

    /// Makes a rule.
    package init(_ pattern: TextPattern, replacement: String) {
        self.pattern = pattern
        self.replacement = replacement
    }
}
