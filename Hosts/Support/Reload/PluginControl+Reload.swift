internal import Tally
internal import TextEncoding

extension PluginControl {
    /// Makes the run go by another configuration, which was read and checked as a whole before.
    ///
    /// A plugin that refuses its part keeps what it has; the rest is applied.
    package func apply(from old: HostSetup, to new: HostSetup) -> ControlReply {
        let difference = ConfigurationDifference(from: old, to: new)
        var done: [String] = []
        var failed: [String] = []
        for step in difference.steps {
            switch apply(step) {
            case .success: done.append(Self.text(step))
            case .failure(let problem): failed.append("\(Self.text(step)): \(problem.reason)")
            }
        }
        var note = "the configuration was read again: "
        note += done.isEmpty ? "no plugin changed" : done.joined(separator: ", ")
        if !difference.restart.isEmpty {
            note += "; counts at the next start: " + difference.restart.joined(separator: ", ")
        }
        guard failed.isEmpty else { return .failure(.refused, note + "; not done: " + failed.joined(separator: "; ")) }
        return .success([
            "changed": .bool(!done.isEmpty), "note": .string(note),
            "done": .array(done.map { .string($0) }),
            "restart": .array(difference.restart.map { .string($0) }),
        ])
    }

    private func apply(_ step: ConfigurationDifference.Step) -> ControlReply {
        switch step {
        case .disable(let name): return perform(.disable(name), cause: .configuration)
        case .enable(let name): return perform(.enable(name), cause: .configuration)
        case .configure(let name, let configuration):
            return perform(.configure(name, configuration), cause: .configuration)
        case .load(let selection):
            let isKnown = telemetry.selections.contains { $0.name == selection.name }
            guard isKnown else {
                do throws(ControlError) {
                    try telemetry.load(selection, cause: .configuration)
                    return .done("\(selection.name) is loaded")
                } catch {
                    return .failure(error)
                }
            }
            // It was there before, went out of the configuration, and comes back.
            let configured = perform(.configure(selection.name, selection.configuration), cause: .configuration)
            guard case .success = configured, selection.enabled else { return configured }
            return perform(.enable(selection.name), cause: .configuration)
        }
    }

    private static func text(_ step: ConfigurationDifference.Step) -> String {
        switch step {
        case .disable(let name): "\(name) disabled"
        case .enable(let name): "\(name) enabled"
        case .configure(let name, _): "\(name) configured"
        case .load(let selection): "\(selection.name) added"
        }
    }
}
