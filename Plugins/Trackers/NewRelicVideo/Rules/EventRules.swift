package import PluginKit

/// The rules of a configuration at work: in their order on each event, then the obfuscation.
final class EventRules {
    private let rules: [Prepared]
    private let obfuscation: [ObfuscationRule]
    private let names = TextPool()

    /// A rule with its names ready to be compared.
    private struct Prepared {
        let rule: EventRule
        let actions: ActionMatcher
        let conditions: [(name: UTF8Text, condition: EventRule.Condition)]
        let remove: [UTF8Text]
        let rename: [(name: UTF8Text, newName: UTF8Text)]
        let set: [(name: UTF8Text, value: EventValue)]
        let eventType: UTF8Text?

        init(_ rule: EventRule, in names: TextPool) {
            self.rule = rule
            actions = ActionMatcher(rule.actions)
            conditions = rule.conditions.map { (names.keep($0.name), $0.condition) }
            remove = rule.remove.map { names.keep($0) }
            rename = rule.rename.map { (names.keep($0.name), names.keep($0.newName)) }
            set = rule.set.compactMap { name, value in EventValue(value, in: names).map { (names.keep(name), $0) } }
            eventType = rule.eventType.map { names.keep($0) }
        }
    }

    init(_ rules: [EventRule], obfuscation: [ObfuscationRule]) {
        self.rules = rules.map { [names] in Prepared($0, in: names) }
        self.obfuscation = obfuscation
    }

    var isEmpty: Bool { rules.isEmpty && obfuscation.isEmpty }

    /// Applies the rules; nil when the event is dropped, else whether it is delivered.
    func apply(_ action: Action, to attributes: inout EventAttributes, in texts: TextPool) -> Bool? {
        var isDelivered = true
        for prepared in rules where Self.concerns(prepared, action, attributes) {
            if prepared.rule.drops { return nil }
            isDelivered = isDelivered && prepared.rule.delivers
            for (name, newName) in prepared.rename { attributes.rename(name, to: newName) }
            for name in prepared.remove { attributes.remove(name) }
            for (name, value) in prepared.set { attributes.set(name, value) }
            if let type = prepared.eventType { attributes.set(UTF8Text(StandardAttribute.eventType.name), .text(type)) }
        }
        // Type and action come first and stay readable: what reads the events goes by them.
        for rule in obfuscation {
            attributes.replaceTexts(from: 2) { text in
                rule.pattern?.replacing(text, with: rule.replacement).map { texts.keep($0) }
            }
        }
        return isDelivered
    }

    private static func concerns(_ rule: Prepared, _ action: Action, _ attributes: EventAttributes) -> Bool {
        guard rule.actions.matches(action) else { return false }
        return rule.conditions.allSatisfy { name, condition in
            let value = attributes.value(of: name)
            switch condition {
            case .exists(let expected): return (value != nil) == expected
            case .matches(let pattern):
                guard case .text(let text)? = value else { return false }
                return pattern.matches(text)
            case .equals(let expected): return value?.plain == expected
            }
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
    package internal(set) var pattern: TextPattern?
    /// What stands there instead.
    package internal(set) var replacement = "***"

    /// Begins with a rule that finds nothing.
    package init() {}
}
