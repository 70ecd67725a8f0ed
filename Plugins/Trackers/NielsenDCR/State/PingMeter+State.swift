internal import PluginKit

extension PingMeter {
    /// All that was counted.
    var saved: SavedState {
        var state = SavedState()
        state.set("session", writer.sessionID)
        state.set("ended", isEnded)
        state.set("last_position", lastPosition)
        state.set("media_url", mediaURL)
        state.set("content", contentMeasurement?.saved)
        state.set("content_metadata", contentMetadata)
        state.set("ad", adMeasurement?.saved)
        state.set("in_ad", isInAd)
        state.set("has_asset", hasAsset)
        state.set("ad_seconds", adSeconds)
        state.set("ad_count", adCount)
        state.set("viewing_session", viewingSession)
        state.set("stopped_at", stoppedAt)
        return state
    }

    /// Goes on where another one of the same configuration stood.
    func resume(_ state: SavedState) throws(TrackerFault) {
        writer.sessionID = try state.text("session")
        isEnded = try state.flag("ended")
        lastPosition = try state.optionalNumber("last_position")
        mediaURL = try state.text("media_url")
        contentMeasurement = try measurement("content", of: state)
        contentMetadata = try state.optionalPart("content_metadata")
        adMeasurement = try measurement("ad", of: state)
        isInAd = try state.flag("in_ad")
        hasAsset = try state.flag("has_asset")
        adSeconds = try state.number("ad_seconds")
        adCount = try state.number("ad_count")
        viewingSession = try state.text("viewing_session")
        stoppedAt = try state.optionalNumber("stopped_at")
    }

    private func measurement(_ name: String, of state: SavedState) throws(TrackerFault) -> AssetMeasurement? {
        guard let saved = try state.optionalPart(name, SavedState.self) else { return nil }
        var measurement = AssetMeasurement(try saved.part("metadata"), configuration)
        try measurement.resume(saved)
        return measurement
    }
}

extension AssetMeasurement {
    /// The asset, and what was viewed of it.
    fileprivate var saved: SavedState {
        var state = SavedState()
        state.set("metadata", metadata)
        state.set("viewed", isViewed)
        state.set("seconds", segments.seconds)
        state.set("interval", intervalNumber)
        state.set("stream_start", streamStart)
        state.set("player_id", playerID)
        return state
    }

    fileprivate mutating func resume(_ state: SavedState) throws(TrackerFault) {
        isViewed = try state.flag("viewed")
        for _ in 0..<max(0, try state.number("seconds")) {
            segments.credit()
        }
        intervalNumber = try state.number("interval")
        streamStart = try state.optionalNumber("stream_start")
        playerID = try state.text("player_id")
    }
}
