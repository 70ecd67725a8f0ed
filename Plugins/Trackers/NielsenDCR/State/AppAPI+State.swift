internal import PluginKit

extension AppAPI {
    /// Carries all that the instance knows; the configuration is its own.
    func carry(by transfer: StateTransfer) {
        transfer.carry(&state)
        transfer.carry(&optOut.bySystem)
        transfer.carry(&optOut.byUser)
        transfer.carry(&isDisabledByCall)
        transfer.carry(&channelName)
        transfer.carry(&isStarted)
        transfer.carry(&isRunning)
        transfer.carry(&startedAt)
        meter.carry(by: transfer)
    }
}
