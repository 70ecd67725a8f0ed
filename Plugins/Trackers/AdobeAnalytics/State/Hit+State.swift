internal import PluginKit

extension Hit: StatePart {
    var saved: SavedState {
        var state = SavedState()
        state.set("is_ad", kind == .adStart)
        state.set("epoch_s", epochSeconds)
        state.set("viewer", viewer)
        state.set("media", media.map(Self.saved))
        state.set("ad", ad.map(Self.saved))
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        self.init(
            kind: try state.flag("is_ad") ? .adStart : .videoStart,
            epochSeconds: try state.number("epoch_s"),
            viewer: try state.text("viewer"),
            media: try Self.fields(state.parts("media")),
            ad: try Self.fields(state.parts("ad"))
        )
    }

    private static func saved(_ field: (name: String, value: Value)) -> SavedState {
        var state = SavedState()
        state.set("name", field.name)
        switch field.value {
        case .text(let text): state.set("text", text)
        case .number(let number): state.set("number", number)
        }
        return state
    }

    private static func fields(_ saved: [SavedState]) throws(TrackerFault) -> [(name: String, value: Value)] {
        try saved.map { (field) throws(TrackerFault) in
            let name = try field.text("name")
            if let text = try field.optionalText("text") { return (name, .text(text)) }
            return (name, .number(try field.number("number")))
        }
    }
}
