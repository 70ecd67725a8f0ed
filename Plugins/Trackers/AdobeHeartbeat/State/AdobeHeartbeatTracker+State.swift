internal import AdobeShared
package import PluginKit

// When a newer file takes the tracker's place, the session goes on: same ids, same timeline, same counters.
extension AdobeHeartbeatTracker: StateTransferring {
    package static let stateFormat: UInt32 = 1

    package func saveState() -> [UInt8] {
        StateTransfer.save(carry)
    }

    package func loadState(_ state: [UInt8]) throws(TrackerFault) {
        isGoingOn = true
        try StateTransfer.load(state, carry)
    }

    private func carry(_ transfer: StateTransfer) {
        carryWhatStays(transfer)
        transfer.carry(&internalFailures)
        var fault = repeatedFault?.message
        transfer.carry(&fault)
        repeatedFault = fault.map { TrackerFault($0) }
        tracer.carry(by: transfer)
        transfer.carryTimers(of: host)
        var (id, deadline) = (timer?.id, timer?.deadline ?? 0)
        transfer.carry(&id)
        transfer.carry(&deadline)
        timer = id.map { ($0, deadline) }
        carryPhase(transfer)
    }

    /// What is read once at start: this instance was given what is configured now.
    private func carryWhatStays(_ transfer: StateTransfer) {
        var kept = configuration
        transfer.carry(&kept.compatibility)
        var source = kept.settings?.source ?? .null
        transfer.carry(&source)
        guard transfer.isLoading else { return }
        do throws(ConfigurationError) {
            kept.settings = try SettingsBlock(configuration: [SettingsBlock.key: source])
        } catch {
            transfer.fail("the settings cannot be used: \(error.description)")
        }
        replaceConfiguration(kept)
    }

    private func carryPhase(_ transfer: StateTransfer) {
        var number = phase.number
        transfer.carry(&number)
        switch number {
        case Phase.idle.number: phase = .idle
        case Phase.failed.number: phase = .failed
        case Phase.held(.blank).number:
            var load = HeldLoad.blank
            if case .held(let held) = phase { load = held }
            transfer.carry(&load)
            phase = .held(load)
        default:
            var session = HeartbeatSession(writer: writer, host: host, tracer: tracer)
            if case .open(let open) = phase { session = open }
            session.carry(by: transfer)
            phase = .open(session)
        }
    }
}

extension AdobeHeartbeatTracker.Phase {
    /// What stands for it where it is saved.
    fileprivate var number: Int {
        switch self {
        case .idle: 0
        case .failed: 1
        case .held: 2
        case .open: 3
        }
    }
}

extension Compatibility: StateValue {
    /// The one that holds unless another is configured.
    package static var blank: Compatibility { .v14 }
}
