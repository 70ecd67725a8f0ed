package import EventModel
internal import PluginABI

/// A track call that reports of a player elsewhere make.
package struct TrackedCall: Equatable, Sendable {
    /// When it happened, us since 1970 by the collector's clock.
    package var time: Int64
    /// Which call it is.
    package var type: EventType
    /// What the player reported with it.
    package var state: ReportedState
    /// The event's attributes, in their order.
    package var attributes: [Attribute]

    /// One attribute: of the vocabulary, or of the player's own.
    package struct Attribute: Equatable, Sendable {
        /// The attribute's name: one of the vocabulary is that attribute.
        package let name: String
        /// Its value.
        package let value: PlainValue

        package init(_ name: String, _ value: PlainValue) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ type: EventType,
        at time: Int64,
        state: ReportedState = ReportedState(),
        attributes: [Attribute] = []
    ) {
        self.type = type
        self.time = time
        self.state = state
        self.attributes = attributes
    }

    /// Adds an attribute, unless there is no value.
    package mutating func set(_ name: String, _ value: PlainValue?) {
        if let value { attributes.append(Attribute(name, value)) }
    }

    /// Writes the call as an event's block, but for its time.
    ///
    /// - Returns: the block's bytes, nil when they are more than the memory holds. An attribute that breaks a limit is
    ///   left out.
    package func write(to writer: inout BlockWriter) -> Int? {
        unsafe state.write(to: writer.state)
        for attribute in attributes {
            var name = attribute.name
            name.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return }
                _ = unsafe writer.set(named: UTF8Text(start: start, count: bytes.count), attribute.value)
            }
        }
        return writer.finish(type: type)
    }
}

/// What a player said of itself in a report; nil is what it did not say.
package struct ReportedState: Equatable, Sendable {
    /// Place in the main content, ms.
    package var playhead: Int64?
    /// Live: wall clock of the frame shown, ms since 1970.
    package var liveWall: Int64?
    /// Length of the main content, ms; -1 without a known end.
    package var duration: Int64?
    /// Bitrate of what is shown, bit/s.
    package var bitrate: Int64?
    /// Measured download rate, bit/s.
    package var throughput: Int64?
    /// Frames dropped in this session so far.
    package var droppedFrames: Int64?
    /// Playback rate in thousandths.
    package var rate: Int32?
    /// Width and height of the picture, px.
    package var size: Size?
    /// Whether the sound is off.
    package var isMuted: Bool?
    /// Whether the player covers the screen.
    package var isFullscreen: Bool?
    /// Whether the stream is live.
    package var isLive: Bool?

    /// A picture's size, px.
    package struct Size: Equatable, Sendable {
        package let width: Int32
        package let height: Int32

        package init(width: Int32, height: Int32) {
            self.width = width
            self.height = height
        }
    }

    package init() {}

    /// Fills in a block's state.
    func write(to state: UnsafeMutablePointer<tally_state>) {
        unsafe set(state, \.playhead_ms, playhead, TALLY_KNOWN_PLAYHEAD)
        unsafe set(state, \.reported_playhead_ms, playhead, TALLY_KNOWN_PLAYHEAD)
        unsafe set(state, \.live_wall_ms, liveWall, TALLY_KNOWN_LIVE_WALL)
        unsafe set(state, \.duration_ms, duration, TALLY_KNOWN_DURATION)
        unsafe set(state, \.bitrate_bps, bitrate, TALLY_KNOWN_BITRATE)
        unsafe set(state, \.throughput_bps, throughput, TALLY_KNOWN_THROUGHPUT)
        unsafe set(state, \.dropped_frames, droppedFrames, TALLY_KNOWN_DROPPED)
        unsafe set(state, \.rate_milli, rate, TALLY_KNOWN_RATE)
        unsafe set(state, \.width, size?.width, TALLY_KNOWN_SIZE)
        unsafe set(state, \.height, size?.height, TALLY_KNOWN_SIZE)
        unsafe set(state, isMuted, TALLY_STATE_MUTED, TALLY_KNOWN_MUTED)
        unsafe set(state, isFullscreen, TALLY_STATE_FULLSCREEN, TALLY_KNOWN_FULLSCREEN)
        unsafe set(state, isLive, TALLY_STATE_LIVE, TALLY_KNOWN_LIVE)
    }

    private func set<Number>(
        _ state: UnsafeMutablePointer<tally_state>,
        _ member: WritableKeyPath<tally_state, Number>,
        _ value: Number?,
        _ known: UInt32
    ) {
        guard let value else { return }
        unsafe state.pointee[keyPath: member] = value
        unsafe state.pointee.known |= known
    }

    private func set(_ state: UnsafeMutablePointer<tally_state>, _ value: Bool?, _ flag: UInt32, _ known: UInt32) {
        guard let value else { return }
        if value { unsafe state.pointee.flags |= flag }
        unsafe state.pointee.known |= known
    }
}
