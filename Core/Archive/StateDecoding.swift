internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Reads the player state of a line as a report: a playhead with an age was not reported, so it is left out.
enum StateDecoding {
    /// Reads it.
    ///
    /// - Returns: the name of its first member that means nothing; nil when there is none.
    static func decode(
        _ cursor: inout LineCursor,
        into state: UnsafeMutablePointer<tally_state>,
        names: ByteBuffer
    ) -> String? {
        var unknown: String?
        cursor.expect(UInt8(ascii: "{"))
        var first = true
        var aged = false
        while let name = cursor.member(first: first, scratch: names) {
            first = false
            if name == "playhead_ms" {
                unsafe store(&cursor, state, TALLY_KNOWN_PLAYHEAD) {
                    $0.playhead_ms = $1
                    $0.reported_playhead_ms = $1
                }
            } else if name == "playhead_age_us" {
                _ = cursor.integer()
                aged = true
            } else if unsafe !number(name, &cursor, state), unsafe !flag(name, &cursor, state) {
                // What the state is, in words, is for whoever reads an archive.
                if unknown == nil, !(name == "is") { unknown = name.string }
                _ = unsafe cursor.skipValue(names)
            }
        }
        if aged {
            unsafe state.pointee.known &= ~TALLY_KNOWN_PLAYHEAD
        }
        return unknown
    }

    /// Takes a number if the name is one's; told apart by length first, since this is where a replay spends its time.
    private static func number(
        _ name: UTF8Text,
        _ cursor: inout LineCursor,
        _ state: UnsafeMutablePointer<tally_state>
    ) -> Bool {
        switch name.count {
        case 5 where name == "width": unsafe store(&cursor, state, TALLY_KNOWN_SIZE) { $0.width = $1 }
        case 6 where name == "height": unsafe store(&cursor, state, TALLY_KNOWN_SIZE) { $0.height = $1 }
        case 9 where name == "fps_milli": unsafe store(&cursor, state, TALLY_KNOWN_FPS) { $0.fps_milli = $1 }
        case 10 where name == "rate_milli": unsafe store(&cursor, state, TALLY_KNOWN_RATE) { $0.rate_milli = $1 }
        case 11 where name == "duration_ms": unsafe store(&cursor, state, TALLY_KNOWN_DURATION) { $0.duration_ms = $1 }
        case 11 where name == "bitrate_bps": unsafe store(&cursor, state, TALLY_KNOWN_BITRATE) { $0.bitrate_bps = $1 }
        case 12 where name == "live_wall_ms":
            unsafe store(&cursor, state, TALLY_KNOWN_LIVE_WALL) { $0.live_wall_ms = $1 }
        case 12 where name == "volume_milli": unsafe store(&cursor, state, TALLY_KNOWN_VOLUME) { $0.volume_milli = $1 }
        case 12 where name == "player_width":
            unsafe store(&cursor, state, TALLY_KNOWN_PLAYER_SIZE) { $0.player_width = $1 }
        case 13 where name == "player_height":
            unsafe store(&cursor, state, TALLY_KNOWN_PLAYER_SIZE) { $0.player_height = $1 }
        case 14 where name == "ad_playhead_ms":
            unsafe store(&cursor, state, TALLY_KNOWN_AD_PLAYHEAD) { $0.ad_playhead_ms = $1 }
        case 14 where name == "throughput_bps":
            unsafe store(&cursor, state, TALLY_KNOWN_THROUGHPUT) { $0.throughput_bps = $1 }
        case 14 where name == "dropped_frames":
            unsafe store(&cursor, state, TALLY_KNOWN_DROPPED) { $0.dropped_frames = $1 }
        case 15 where name == "rendered_frames":
            unsafe store(&cursor, state, TALLY_KNOWN_RENDERED) { $0.rendered_frames = $1 }
        default: return false
        }
        return true
    }

    private static func flag(
        _ name: UTF8Text,
        _ cursor: inout LineCursor,
        _ state: UnsafeMutablePointer<tally_state>
    ) -> Bool {
        for (member, flag, known) in StateMembers.flagMembers where name == known {
            unsafe state.pointee.known |= member
            if cursor.peek() == UInt8(ascii: "t") {
                _ = cursor.literal("true")
                unsafe state.pointee.flags |= flag
            } else {
                _ = cursor.literal("false")
                unsafe state.pointee.flags &= ~flag
            }
            return true
        }
        return false
    }

    @inline(__always)
    private static func store<Member: FixedWidthInteger>(
        _ cursor: inout LineCursor,
        _ state: UnsafeMutablePointer<tally_state>,
        _ known: UInt32,
        _ set: (inout tally_state, Member) -> Void
    ) {
        guard let value = cursor.integer() else { return }
        guard let fitting = Member(exactly: value), value.magnitude < UInt64(CanonicalNumber.integerLimit) else {
            return cursor.fail("number out of range")
        }
        unsafe set(&state.pointee, fitting)
        unsafe state.pointee.known |= known
    }
}
