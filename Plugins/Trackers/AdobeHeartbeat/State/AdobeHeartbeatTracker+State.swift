internal import AdobeShared
package import PluginKit

// When a newer file takes the tracker's place, the session goes on: same ids, same timeline, same counters.
extension AdobeHeartbeatTracker: StateTransferring {
    package static let stateFormat: UInt32 = 1

    package func saveState() -> [UInt8] {
        var state = SavedState()
        // Both are read once at start, and the newer instance was given what is configured now.
        state.set("compatibility", configuration.compatibility.rawValue)
        state["settings"] = configuration.settings?.source ?? .null
        state.set("internal_failures", Int64(internalFailures))
        state.set("repeated_fault", repeatedFault?.message)
        state.set("deadline", timer?.deadline)
        state.set("warned", tracer.heardWarnings)
        switch phase {
        case .idle: state.set("phase", "idle")
        case .failed: state.set("phase", "failed")
        case .held(let held):
            state.set("phase", "held")
            state.set("load", held)
        case .open(let session):
            state.set("phase", "open")
            state.set("session", session.saved)
        }
        return state.bytes
    }

    package func loadState(_ bytes: [UInt8]) throws(TrackerFault) {
        let state = try SavedState(bytes: bytes)
        try keepStartedWith(state)
        internalFailures = Int(try state.number("internal_failures"))
        repeatedFault = try state.optionalText("repeated_fault").map { TrackerFault($0) }
        tracer.resume(heard: try state.texts("warned"))
        switch try state.text("phase") {
        case "idle": phase = .idle
        case "failed": phase = .failed
        case "held": phase = .held(try state.part("load"))
        case "open":
            let saved = try state.part("session", SavedState.self)
            phase = .open(try HeartbeatSession(saved, writer: writer, host: host, tracer: tracer))
        case let other: throw TrackerFault("the saved state has the phase \"\(other)\"")
        }
        carriedOver = CarriedOver(deadline: try state.optionalNumber("deadline"))
    }

    private func keepStartedWith(_ state: SavedState) throws(TrackerFault) {
        var kept = configuration
        guard let compatibility = Compatibility(rawValue: try state.text("compatibility")) else {
            throw TrackerFault("the saved state has an unknown compatibility")
        }
        kept.compatibility = compatibility
        do throws(ConfigurationError) {
            kept.settings = try SettingsBlock(configuration: [SettingsBlock.key: state["settings"]])
        } catch {
            throw TrackerFault("the saved state has settings that cannot be used: \(error.description)")
        }
        replaceConfiguration(kept)
    }
}
