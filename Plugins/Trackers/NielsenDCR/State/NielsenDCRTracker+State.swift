package import PluginKit

// When a newer file takes the tracker's place, the instance of the API lives on: same session, same counted seconds.
extension NielsenDCRTracker: StateTransferring {
    package static let stateFormat: UInt32 = 1

    package func saveState() -> [UInt8] {
        var state = SavedState()
        state.set("opt_out", storedOptOut)
        state.set("started", hasStarted)
        state.set("api", api?.saved)
        state.set("binding", binding?.saved)
        return state.bytes
    }

    package func loadState(_ bytes: [UInt8]) throws(TrackerFault) {
        let state = try SavedState(bytes: bytes)
        storedOptOut = try state.optionalText("opt_out")
        hasStarted = try state.flag("started")
        let (api, binding) = makeParts()
        try api.resume(state.part("api"))
        try binding.resume(state.part("binding"))
        carryOver(api, binding)
    }
}
