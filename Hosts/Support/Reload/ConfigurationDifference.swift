internal import Tally
internal import TextEncoding

/// What is to be done so that a run goes by another configuration.
struct ConfigurationDifference {
    /// One change of a plugin.
    enum Step {
        /// The instance is gone, or is to be disabled.
        case disable(String)
        /// The instance has another configuration.
        case configure(String, JSONValue)
        /// The instance is to be enabled.
        case enable(String)
        /// The instance is new.
        case load(PluginSelection)
    }

    /// The changes, in the order in which they are made: what ends, what changes, what begins.
    private(set) var steps: [Step] = []
    /// The keys that have another value, which counts at the next start.
    private(set) var restart: [String] = []

    init(from old: HostSetup, to new: HostSetup) {
        let before = old.selections
        let after = new.selections
        steps = before.filter { old in old.enabled && !after.contains { $0.name == old.name } }.map {
            .disable($0.name)
        }
        var begins: [Step] = []
        for next in after {
            guard let last = before.first(where: { $0.name == next.name }) else {
                begins.append(.load(next))
                continue
            }
            if last.plugin != next.plugin {
                restart.append("plugins.\(next.name).plugin")
                continue
            }
            if last.configuration != next.configuration { steps.append(.configure(next.name, next.configuration)) }
            guard last.enabled != next.enabled else { continue }
            if next.enabled { begins.append(.enable(next.name)) } else { steps.append(.disable(next.name)) }
        }
        steps += begins
        restart += Self.restart(from: old, to: new) + new.changedFiles
    }

    private static func restart(from old: HostSetup, to new: HostSetup) -> [String] {
        let (before, after) = (JSONValue.object(old.configuration.value), JSONValue.object(new.configuration.value))
        // Instances and the blocks that they share are compared one by one.
        let applied = [HostSettings.instances.declaration.key, HostSettings.shared.declaration.key]
        var keys = HostSettings.keys.map(\.declaration).filter { setting in
            guard let key = setting.key, !applied.contains(key) else { return false }
            return (before.value(at: key) ?? setting.fallback ?? .null)
                != (after.value(at: key) ?? setting.fallback ?? .null)
        }.map(\.explainedKey)
        let (own, next) = (old.settings, new.settings)
        for key in own.keys + next.keys.filter({ own[$0] == nil }) where own[key] != next[key] {
            keys.append("\(old.section.rawValue).\(key)")
        }
        return keys
    }
}
