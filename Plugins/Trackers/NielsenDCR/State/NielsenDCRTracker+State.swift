package import PluginKit

// When a newer file takes the tracker's place, the instance of the API lives on: same session, same counted seconds.
extension NielsenDCRTracker: StateTransferring {
    package static let stateFormat: UInt32 = 1

    package func saveState() -> [UInt8] {
        StateTransfer.save(carry)
    }

    package func loadState(_ state: [UInt8]) throws(TrackerFault) {
        makeParts()
        isGoingOn = true
        try StateTransfer.load(state, carry)
    }

    private func carry(_ transfer: StateTransfer) {
        transfer.carry(&storedOptOut)
        transfer.carry(&hasStarted)
        transfer.carryTimers(of: host)
        api?.carry(by: transfer)
        binding?.carry(by: transfer)
    }
}
