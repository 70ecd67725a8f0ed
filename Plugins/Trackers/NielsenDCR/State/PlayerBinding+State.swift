internal import PluginKit

extension PlayerBinding {
    /// All that is known of the player and of what is measured.
    var saved: SavedState {
        var state = SavedState()
        state.set("description", description.saved)
        state.set("live_start", position.liveStart)
        state.set("cadence", cadence.saved)
        for (name, path) in Self.flags {
            state.set(name, self[keyPath: path])
        }
        state.set("content_state", contentState.rawValue)
        state["loaded_content"] = loadedContent
        state["seen_content"] = seenContent
        state.set("seen_channel", seenChannel)
        state.set("loaded", loaded.rawValue)
        state.set("running", running.rawValue)
        state.set("interruption", interruption?.rawValue)
        state.set("last_position", lastPosition)
        state.set("first_playhead", firstPlayhead)
        return state
    }

    /// Goes on where another one of the same configuration stood; its timer starts with ``restartTimer()``.
    func resume(_ state: SavedState) throws(TrackerFault) {
        try description.resume(state.part("description"))
        position.liveStart = try state.optionalNumber("live_start")
        try cadence.resume(state.part("cadence"))
        for (name, path) in Self.flags {
            self[keyPath: path] = try state.flag(name)
        }
        guard let contentState = ContentState(rawValue: try state.text("content_state")),
            let loaded = Activity(rawValue: try state.text("loaded")),
            let running = Activity(rawValue: try state.text("running"))
        else { throw TrackerFault("the saved state names no activity that there is") }
        self.contentState = contentState
        self.loaded = loaded
        self.running = running
        loadedContent = state["loaded_content"]
        seenContent = state["seen_content"]
        seenChannel = try state.optionalText("seen_channel")
        interruption = try state.optionalText("interruption").flatMap(Interruption.init(rawValue:))
        lastPosition = try state.optionalNumber("last_position")
        firstPlayhead = try state.optionalNumber("first_playhead")
    }

    /// Starts the timer that the one before had, if there is one.
    func restartTimer() {
        cadence.restart()
    }

    private static var flags: [(name: String, path: ReferenceWritableKeyPath<PlayerBinding, Bool>)] {
        [
            ("in_session", \.isInSession), ("begun", \.isBegun), ("ended", \.isEnded), ("started", \.isStarted),
            ("stopped", \.isStopped), ("ad_open", \.isAdOpen), ("ad_accepted", \.isAdAccepted),
            ("ends_after_ad", \.endsAfterAd), ("in_background", \.isInBackground),
        ]
    }
}
