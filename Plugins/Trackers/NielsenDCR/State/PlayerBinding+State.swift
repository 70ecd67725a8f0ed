internal import PluginKit

extension PlayerBinding {
    /// Carries all that is known of the player and of what is measured; the configuration is its own.
    func carry(by transfer: StateTransfer) {
        description.carry(by: transfer)
        transfer.carry(&position.liveStart)
        cadence.carry(by: transfer)
        transfer.carry(&isInSession)
        transfer.carry(&isBegun)
        transfer.carry(&isEnded)
        transfer.carry(&isStarted)
        transfer.carry(&isStopped)
        transfer.carry(&contentState)
        transfer.carry(&loadedContent)
        transfer.carry(&seenContent)
        transfer.carry(&seenChannel)
        transfer.carry(&loaded)
        transfer.carry(&running)
        transfer.carry(&isAdOpen)
        transfer.carry(&isAdAccepted)
        transfer.carry(&endsAfterAd)
        transfer.carry(&interruption)
        transfer.carry(&isInBackground)
        transfer.carry(&lastPosition)
        transfer.carry(&firstPlayhead)
    }
}
