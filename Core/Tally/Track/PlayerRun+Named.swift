internal import EventModel

// Track calls by the names of the data model: for whoever gets them from elsewhere, such as another language.
extension PlayerRun {
    /// Tracks an event by its name in the data model, such as `video_load`.
    ///
    /// The closure adds attributes: a name of the data model becomes that attribute, any other one is your own. An
    /// event of your own is `custom` with the attribute `custom_name`.
    ///
    /// - Returns: as the other track methods; ``TrackResult/unknownEvent`` when no event of a player has the name.
    @discardableResult
    public func track(
        _ event: String,
        _ attributes: (borrowing AttributeEncoder) -> Void = { _ in }
    ) -> TrackResult {
        var event = event
        let type = event.withUTF8 { bytes -> EventType? in
            guard let start = bytes.baseAddress else { return nil }
            return unsafe Self.trackedType(named: UTF8Text(start: start, count: bytes.count))
        }
        guard let type else { return .unknownEvent }
        return track(type, attributes: attributes)
    }

    /// The type of an event that a player may track; nil when the name is none of the data model's.
    package static func trackedType(named name: UTF8Text) -> EventType? {
        guard let type = EventTypeNames.wellKnown(named: name), type.isFromPlayer else { return nil }
        return type
    }

    /// Tracks an event of a type that ``trackedType(named:)`` has given.
    @discardableResult
    package func track(_ type: EventType, attributes: (borrowing AttributeEncoder) -> Void) -> TrackResult {
        track(type) { $0.fill(attributes) }
    }

    /// Tracks a call that was made elsewhere, with the state that it brings.
    @discardableResult
    package func track(_ call: TrackedCall) -> TrackResult {
        track(call.type) { event in
            unsafe call.state.writePlace(to: event.state)
            if call.type != .playheadSample { unsafe call.state.writeQuality(to: event.state) }
            for attribute in call.attributes { event.set(custom: attribute.name, attribute.value) }
        }
    }
}
