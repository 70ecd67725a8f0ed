internal import AdobeShared
package import PluginKit

// When a newer file takes the tracker's place, the viewing that it opened stays open, and what waits goes on waiting.
extension AdobeAnalyticsTracker: StateTransferring {
    package static let stateFormat: UInt32 = 1

    package func saveState() -> [UInt8] {
        StateTransfer.save(carry)
    }

    package func loadState(_ state: [UInt8]) throws(TrackerFault) {
        try StateTransfer.load(state, carry)
    }

    private func carry(_ transfer: StateTransfer) {
        carrySettings(transfer)
        queue.carry(by: transfer)
        transfer.carry(&video)
        transfer.carry(&isPending)
        transfer.carry(&sentLoad)
        transfer.carry(&loadedAt)
        transfer.carry(&patience)
        transfer.carryTimers(of: host)
        tracer.carry(by: transfer)
    }

    /// What is read once at start: this instance was given what is configured now.
    private func carrySettings(_ transfer: StateTransfer) {
        var source = writer.configuration.settings.source
        transfer.carry(&source)
        guard transfer.isLoading else { return }
        do throws(ConfigurationError) {
            let settings = try SettingsBlock(configuration: [SettingsBlock.key: source])
            writer.configuration.settings = settings ?? writer.configuration.settings
        } catch {
            transfer.fail("the settings cannot be used: \(error.description)")
        }
        queue = HitQueue(writer.configuration.settings)
    }
}
