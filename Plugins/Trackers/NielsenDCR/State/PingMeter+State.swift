internal import PluginKit

extension PingMeter {
    /// Carries all that was counted; the configuration is its own.
    func carry(by transfer: StateTransfer) {
        transfer.carry(&writer.sessionID)
        transfer.carry(&isEnded)
        transfer.carry(&lastPosition)
        transfer.carry(&mediaURL)
        carry(&contentMeasurement, by: transfer)
        transfer.carry(&contentMetadata)
        carry(&adMeasurement, by: transfer)
        transfer.carry(&isInAd)
        transfer.carry(&hasAsset)
        transfer.carry(&adSeconds)
        transfer.carry(&adCount)
        transfer.carry(&viewingSession)
        transfer.carry(&stoppedAt)
    }

    private func carry(_ measurement: inout AssetMeasurement?, by transfer: StateTransfer) {
        var metadata = measurement?.metadata
        transfer.carry(&metadata)
        if transfer.isLoading { measurement = metadata.map { AssetMeasurement($0, configuration) } }
        measurement?.carry(by: transfer)
    }
}

extension AssetMeasurement {
    /// Carries what was viewed; the asset is its own.
    fileprivate mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&isViewed)
        transfer.carry(&segments.seconds)
        transfer.carry(&intervalNumber)
        transfer.carry(&streamStart)
        transfer.carry(&playerID)
    }
}
