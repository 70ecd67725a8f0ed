internal import PluginKit

extension AppAPI {
    /// All that the instance knows.
    var saved: SavedState {
        var state = SavedState()
        state.set("state", self.state.rawValue)
        state.set("by_system", optOut.bySystem)
        state.set("by_user", optOut.byUser)
        state.set("disabled", isDisabledByCall)
        state.set("channel", channelName)
        state.set("play_called", isStarted)
        state.set("running", isRunning)
        state.set("started_at", startedAt)
        state.set("meter", meter.saved)
        return state
    }

    /// Goes on where another instance of the same configuration stood.
    func resume(_ saved: SavedState) throws(TrackerFault) {
        guard let state = InstanceState(rawValue: try saved.text("state")) else {
            throw TrackerFault("the saved state names no state of the life cycle")
        }
        self.state = state
        optOut.bySystem = try saved.flag("by_system")
        optOut.byUser = try saved.flag("by_user")
        isDisabledByCall = try saved.flag("disabled")
        channelName = try saved.optionalText("channel")
        isStarted = try saved.flag("play_called")
        isRunning = try saved.flag("running")
        startedAt = try saved.number("started_at")
        try meter.resume(saved.part("meter"))
    }
}
