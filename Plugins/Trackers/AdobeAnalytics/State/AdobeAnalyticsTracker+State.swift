internal import AdobeShared
package import PluginKit

// When a newer file takes the tracker's place, the viewing that it opened stays open, and what waits goes on waiting.
extension AdobeAnalyticsTracker: StateTransferring {
    package static let stateFormat: UInt32 = 1

    package func saveState() -> [UInt8] {
        var state = SavedState()
        // Read once at start, and the newer instance was given what is configured now.
        state["settings"] = writer.configuration.settings.source
        state.set("queue", queue.saved)
        state.set("video", video)
        state.set("pending", isPending)
        state.set("sent_load", sentLoad)
        state.set("loaded_at", loadedAt)
        state.set("deadline", patience == nil ? nil : deadline)
        state.set("warned", tracer.heardWarnings)
        return state.bytes
    }

    package func loadState(_ bytes: [UInt8]) throws(TrackerFault) {
        let state = try SavedState(bytes: bytes)
        do throws(ConfigurationError) {
            let settings = try SettingsBlock(configuration: [SettingsBlock.key: state["settings"]])
            writer.configuration.settings = settings ?? writer.configuration.settings
        } catch {
            throw TrackerFault("the saved state has settings that cannot be used: \(error.description)")
        }
        queue = HitQueue(writer.configuration.settings)
        try queue.resume(state.part("queue"))
        video = try state.optionalPart("video")
        isPending = try state.flag("pending")
        sentLoad = try state.optionalNumber("sent_load")
        loadedAt = try state.number("loaded_at")
        carriedDeadline = try state.optionalNumber("deadline")
        tracer.resume(heard: try state.texts("warned"))
    }
}
