package import PluginKit

/// The attributes that tell how long ago another action was sent.
///
/// Which rows concern a standard action is worked out once; a name that the application made up is compared with each
/// row.
package struct TimeSinceTable: Sendable {
    private var entries: [TimeSinceEntry] = []
    private var plans = [Plan](repeating: Plan(), count: StandardAction.all.count)

    /// The rows that an action reads, and those that it stamps.
    private struct Plan: Sendable {
        var measured: [Int] = []
        var stamped: [Int] = []
    }

    /// The attributes of the rows, in order.
    package var attributes: [UTF8Text] { entries.map(\.attribute) }

    /// Makes a table without rows.
    package init() {}

    /// Adds a row at the end; the texts outlive the table.
    package mutating func add(trigger: UTF8Text, attribute: UTF8Text, filter: ActionFilter) {
        for action in StandardAction.all {
            if filter.matches(UTF8Text(action.name)) {
                plans[action.index].measured.append(entries.count)
            }
            if trigger == action.name {
                plans[action.index].stamped.append(entries.count)
            }
        }
        entries.append(TimeSinceEntry(trigger: trigger, attribute: attribute, filter: filter, stamp: nil))
    }

    /// Whether a row decides the attribute on this action, be it that it leaves it out.
    package func decides(_ attribute: UTF8Text, on action: Action) -> Bool {
        entries.contains { $0.attribute == attribute && $0.filter.matches(action.name) }
    }

    /// Whether a row is about the attribute.
    package func has(_ attribute: String) -> Bool {
        entries.contains { $0.attribute == attribute }
    }

    /// Appends what the action carries, then stamps the rows that it triggers: an event never measures from itself.
    package mutating func apply(_ action: Action, at now: Int64, to attributes: inout EventAttributes) {
        guard let standard = action.standard else {
            return applyCustom(action, at: now, to: &attributes)
        }
        for index in plans[standard.index].measured {
            append(index, at: now, to: &attributes)
        }
        for index in plans[standard.index].stamped {
            entries[index].stamp = now
        }
    }

    private mutating func applyCustom(_ action: Action, at now: Int64, to attributes: inout EventAttributes) {
        for index in entries.indices {
            if entries[index].filter.matches(action.name) {
                append(index, at: now, to: &attributes)
            }
            if entries[index].trigger == action.name {
                entries[index].stamp = now
            }
        }
    }

    private func append(_ index: Int, at now: Int64, to attributes: inout EventAttributes) {
        guard let stamp = entries[index].stamp else { return }
        attributes.append(entries[index].attribute, .int(now - stamp))
    }
}
