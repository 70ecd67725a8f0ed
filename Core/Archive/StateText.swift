internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Writes the player state of a line: reported members by name, and for readers the words of what follows from events.
enum StateText {
    private static let words: [(flag: UInt32, word: StaticString)] = [
        (TALLY_STATE_PLAYING, "playing"), (TALLY_STATE_PAUSED, "paused"), (TALLY_STATE_SEEKING, "seeking"),
        (TALLY_STATE_BUFFERING, "buffering"), (TALLY_STATE_IN_AD_BREAK, "in_ad_break"), (TALLY_STATE_IN_AD, "in_ad"),
        (TALLY_STATE_IN_CHAPTER, "in_chapter"), (TALLY_STATE_STARTED, "started"), (TALLY_STATE_ENDED, "ended"),
        (TALLY_STATE_INTERRUPTED, "interrupted"), (TALLY_STATE_BACKGROUND, "background"),
    ]

    /// Appends `,"state":{...}`.
    ///
    /// `members` says which members to write, `playhead` the reported playhead in ms; with `aged` it was not reported
    /// now and its age is written too. `flags` are the words to write.
    static func append(
        _ state: UnsafePointer<tally_state>,
        members: UInt32,
        playhead: Int64,
        aged: Bool,
        is flags: UInt32,
        to buffer: ByteBuffer
    ) {
        guard members != 0 || flags != 0 else { return }
        let state = unsafe state.pointee
        var open = Opener(buffer: buffer)
        if members & TALLY_KNOWN_PLAYHEAD != 0 {
            open.member("playhead_ms", playhead)
            if aged { open.member("playhead_age_us", state.reported_age_us) }
        }
        if members & TALLY_KNOWN_AD_PLAYHEAD != 0 { open.member("ad_playhead_ms", state.ad_playhead_ms) }
        if members & TALLY_KNOWN_LIVE_WALL != 0 { open.member("live_wall_ms", state.live_wall_ms) }
        if members & TALLY_KNOWN_DURATION != 0 { open.member("duration_ms", state.duration_ms) }
        if members & TALLY_KNOWN_BITRATE != 0 { open.member("bitrate_bps", state.bitrate_bps) }
        if members & TALLY_KNOWN_THROUGHPUT != 0 { open.member("throughput_bps", state.throughput_bps) }
        if members & TALLY_KNOWN_DROPPED != 0 { open.member("dropped_frames", state.dropped_frames) }
        if members & TALLY_KNOWN_RENDERED != 0 { open.member("rendered_frames", state.rendered_frames) }
        if members & TALLY_KNOWN_FPS != 0 { open.member("fps_milli", Int64(state.fps_milli)) }
        if members & TALLY_KNOWN_SIZE != 0 {
            open.member("width", Int64(state.width))
            open.member("height", Int64(state.height))
        }
        if members & TALLY_KNOWN_RATE != 0 { open.member("rate_milli", Int64(state.rate_milli)) }
        if members & TALLY_KNOWN_VOLUME != 0 { open.member("volume_milli", Int64(state.volume_milli)) }
        if members & TALLY_KNOWN_PLAYER_SIZE != 0 {
            open.member("player_width", Int64(state.player_width))
            open.member("player_height", Int64(state.player_height))
        }
        for (member, flag, name) in StateMembers.flagMembers where members & member != 0 {
            open.member(name, state.flags & flag != 0)
        }
        Self.words(flags, &open)
        open.close()
    }

    private static func words(_ flags: UInt32, _ open: inout Opener) {
        var first = true
        for (flag, word) in words where flags & flag != 0 {
            if first {
                open.name("is")
                open.buffer.append("[\"")
            } else {
                open.buffer.append("\",\"")
            }
            open.buffer.append(word)
            first = false
        }
        if !first {
            open.buffer.append("\"]")
        }
    }

    /// Opens the object with its first member.
    private struct Opener {
        let buffer: ByteBuffer
        private var isOpen = false

        init(buffer: ByteBuffer) { self.buffer = buffer }

        mutating func name(_ name: StaticString) {
            buffer.append(isOpen ? ",\"" : ",\"state\":{\"")
            isOpen = true
            buffer.append(name)
            buffer.append("\":")
        }

        mutating func member(_ name: StaticString, _ value: Int64) {
            self.name(name)
            buffer.append(decimal: value)
        }

        mutating func member(_ name: StaticString, _ value: Bool) {
            self.name(name)
            buffer.append(value ? "true" : "false")
        }

        func close() {
            if isOpen {
                buffer.append(UInt8(ascii: "}"))
            }
        }
    }
}
