internal import PluginKit

extension Ad: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("information", information)
        state.set("break", adBreak)
        state.set("session", sessionID)
        state.set("pod", podID)
        state.set("pod_second", podSecond)
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        information = try state.part("information")
        adBreak = try state.part("break")
        sessionID = try state.text("session")
        podID = try state.text("pod")
        podSecond = try state.number("pod_second")
    }
}

extension AdInformation: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("id", id)
        state.set("name", name)
        state.set("length", length)
        state.set("position", position)
        state.set("cpm", cpm)
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        id = try state.text("id")
        name = try state.text("name")
        length = try state.number("length")
        position = try state.optionalNumber("position")
        cpm = try state.text("cpm")
    }
}

extension AdBreakInformation: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("player", playerName)
        state.set("name", name)
        state.set("position", position)
        state.set("start", startTime)
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        playerName = try state.text("player")
        name = try state.text("name")
        position = try state.number("position")
        startTime = try state.optionalNumber("start")
    }
}

extension ChapterInformation: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("name", name)
        state.set("length", length)
        state.set("position", position)
        state.set("start", startTime)
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        name = try state.text("name")
        length = try state.number("length")
        position = try state.number("position")
        startTime = try state.number("start")
    }
}

extension Reading: StatePart where Information: StatePart {
    var saved: SavedState {
        var state = SavedState()
        switch self {
        case .nothing: break
        case .known(let information): state.set("known", information)
        case .invalid(let problem): state.set("invalid", problem)
        }
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        if let information = try state.optionalPart("known", Information.self) {
            self = .known(information)
        } else if let problem = try state.optionalPart("invalid", InvalidInformation.self) {
            self = .invalid(problem)
        } else {
            self = .nothing
        }
    }
}
