internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Reads the player state of a line as a report: a playhead with an age was not reported, so it is left out.
enum StateDecoding {
    static func decode(_ cursor: inout LineCursor, into state: UnsafeMutablePointer<tally_state>, names: ByteBuffer) {
        cursor.expect(UInt8(ascii: "{"))
        var first = true
        var aged = false
        while let name = cursor.member(first: first, scratch: names) {
            first = false
            if name == "playhead_ms" {
                unsafe number(&cursor, state, TALLY_KNOWN_PLAYHEAD, \.playhead_ms)
            } else if name == "playhead_age_us" {
                _ = cursor.integer()
                aged = true
            } else if unsafe !flag(name, &cursor, state) {
                unsafe member(name, &cursor, state, names)
            }
        }
        if aged {
            unsafe state.pointee.known &= ~TALLY_KNOWN_PLAYHEAD
        }
    }

    private static func member(
        _ name: UTF8Text, _ cursor: inout LineCursor, _ state: UnsafeMutablePointer<tally_state>, _ scratch: ByteBuffer
    ) {
        if name == "ad_playhead_ms" {
            unsafe number(&cursor, state, TALLY_KNOWN_AD_PLAYHEAD, \.ad_playhead_ms)
        } else if name == "live_wall_ms" {
            unsafe number(&cursor, state, TALLY_KNOWN_LIVE_WALL, \.live_wall_ms)
        } else if name == "duration_ms" {
            unsafe number(&cursor, state, TALLY_KNOWN_DURATION, \.duration_ms)
        } else if name == "bitrate_bps" {
            unsafe number(&cursor, state, TALLY_KNOWN_BITRATE, \.bitrate_bps)
        } else if name == "throughput_bps" {
            unsafe number(&cursor, state, TALLY_KNOWN_THROUGHPUT, \.throughput_bps)
        } else if name == "dropped_frames" {
            unsafe number(&cursor, state, TALLY_KNOWN_DROPPED, \.dropped_frames)
        } else if name == "rendered_frames" {
            unsafe number(&cursor, state, TALLY_KNOWN_RENDERED, \.rendered_frames)
        } else if name == "fps_milli" {
            unsafe number(&cursor, state, TALLY_KNOWN_FPS, \.fps_milli)
        } else if name == "width" {
            unsafe number(&cursor, state, TALLY_KNOWN_SIZE, \.width)
        } else if name == "height" {
            unsafe number(&cursor, state, TALLY_KNOWN_SIZE, \.height)
        } else if name == "rate_milli" {
            unsafe number(&cursor, state, TALLY_KNOWN_RATE, \.rate_milli)
        } else if name == "volume_milli" {
            unsafe number(&cursor, state, TALLY_KNOWN_VOLUME, \.volume_milli)
        } else if name == "player_width" {
            unsafe number(&cursor, state, TALLY_KNOWN_PLAYER_SIZE, \.player_width)
        } else if name == "player_height" {
            unsafe number(&cursor, state, TALLY_KNOWN_PLAYER_SIZE, \.player_height)
        } else {
            _ = unsafe cursor.skipValue(scratch)
        }
    }

    private static func flag(
        _ name: UTF8Text, _ cursor: inout LineCursor, _ state: UnsafeMutablePointer<tally_state>
    ) -> Bool {
        for (member, flag, known) in StateMembers.flagMembers where name == known {
            unsafe state.pointee.known |= member
            if cursor.peek() == UInt8(ascii: "t") {
                _ = cursor.literal("true")
                unsafe state.pointee.flags |= flag
            } else {
                _ = cursor.literal("false")
            }
            return true
        }
        return false
    }

    private static func number<Member: FixedWidthInteger>(
        _ cursor: inout LineCursor, _ state: UnsafeMutablePointer<tally_state>, _ known: UInt32,
        _ member: WritableKeyPath<tally_state, Member>
    ) {
        guard let value = cursor.integer() else { return }
        guard let fitting = Member(exactly: value) else { return cursor.fail("number out of range") }
        unsafe state.pointee[keyPath: member] = fitting
        unsafe state.pointee.known |= known
    }
}
