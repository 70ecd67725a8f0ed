package import PluginKit

extension HeldLoad: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("moment", moment)
        state.set("video", video)
        state.set("missing", missing)
        state.set(
            "calls",
            calls.map { call, moment in
                var held = SavedState()
                held.set("call", call)
                held.set("moment", moment)
                return held
            }
        )
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        self.init(
            try state.part("video"),
            missing: try state.part("missing"),
            at: try state.part("moment")
        )
        for held in try state.parts("calls", SavedState.self) {
            _ = hold(try held.part("call"), at: try held.part("moment"))
        }
    }
}

extension InvalidInformation: StatePart {
    package var saved: SavedState {
        var state = SavedState()
        state.set("object", object)
        state.set("property", property)
        state.set("reason", reason)
        return state
    }

    package init(saved state: SavedState) throws(TrackerFault) {
        object = try state.text("object")
        property = try state.text("property")
        reason = try state.text("reason")
    }
}

extension Moment: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("time", time)
        state.set("epoch_ms", epochMilliseconds)
        state.set("playhead_ms", playheadMilliseconds)
        state.set("ad_playhead_ms", adPlayheadMilliseconds)
        state.set("length_ms", lengthMilliseconds)
        state.set("bitrate", bitrate)
        state.set("fps", framesPerSecond)
        state.set("dropped", droppedFrames)
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        time = try state.number("time")
        epochMilliseconds = try state.number("epoch_ms")
        playheadMilliseconds = try state.optionalNumber("playhead_ms")
        adPlayheadMilliseconds = try state.optionalNumber("ad_playhead_ms")
        lengthMilliseconds = try state.optionalNumber("length_ms")
        bitrate = try state.number("bitrate")
        framesPerSecond = try state.number("fps")
        droppedFrames = try state.number("dropped")
    }
}
