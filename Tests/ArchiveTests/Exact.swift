import Archive
import EventModel
import PluginABI

/// Values as text that tells them apart to the last bit: `==` of strings and doubles is too kind for these tests.
enum Exact {
    static func text(_ value: PlainValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .int(let number): "int \(number)"
        case .double(let number): "double \(String(number.bitPattern, radix: 16))"
        case .string(let text): "string \(Array(text.utf8))"
        case .list(let list): "[\(list.map { self.text($0) }.joined(separator: ", "))]"
        case .bytes(let bytes): "bytes \(bytes)"
        }
    }

    /// All that an archive keeps of an event, a line for each part.
    static func lines(of event: EventView, reported: UInt32) -> [String] {
        ["\(event.time) \(event.typeName.string) \(event.flags)"] + state(event.state, reported)
            + event.attributes.map { attribute in
                "\(Array(attribute.name.string.utf8)) \(attribute.key.rawValue) \(attribute.isCustom) "
                    + "\(attribute.isPersonal) \(text(PlainValue(attribute.value)))"
            }
    }

    /// The members of a state that are among `members`.
    static func state(_ state: PlayerState, _ members: UInt32) -> [String] {
        let raw = unsafe state.raw.pointee
        let known = raw.known & members
        let playhead: Int64? = known & TALLY_KNOWN_PLAYHEAD == 0 ? nil : raw.reported_playhead_ms
        let numbers: [(UInt32, Int64)] = [
            (TALLY_KNOWN_AD_PLAYHEAD, raw.ad_playhead_ms), (TALLY_KNOWN_LIVE_WALL, raw.live_wall_ms),
            (TALLY_KNOWN_DURATION, raw.duration_ms), (TALLY_KNOWN_BITRATE, raw.bitrate_bps),
            (TALLY_KNOWN_THROUGHPUT, raw.throughput_bps), (TALLY_KNOWN_DROPPED, raw.dropped_frames),
            (TALLY_KNOWN_RENDERED, raw.rendered_frames), (TALLY_KNOWN_FPS, Int64(raw.fps_milli)),
            (TALLY_KNOWN_SIZE, Int64(raw.width)), (TALLY_KNOWN_SIZE, Int64(raw.height)),
            (TALLY_KNOWN_VOLUME, Int64(raw.volume_milli)), (TALLY_KNOWN_RATE, Int64(raw.rate_milli)),
            (TALLY_KNOWN_PLAYER_SIZE, Int64(raw.player_width)), (TALLY_KNOWN_PLAYER_SIZE, Int64(raw.player_height)),
        ]
        let flags: [(UInt32, UInt32)] = [
            (TALLY_KNOWN_MUTED, TALLY_STATE_MUTED), (TALLY_KNOWN_FULLSCREEN, TALLY_STATE_FULLSCREEN),
            (TALLY_KNOWN_LIVE, TALLY_STATE_LIVE), (TALLY_KNOWN_AUDIO_ONLY, TALLY_STATE_AUDIO_ONLY),
        ]
        return ["known \(String(known, radix: 2)) playhead \(playhead.map { "\($0)" } ?? "-")"]
            + numbers.filter { known & $0.0 != 0 }.map { "\($0.0) is \($0.1)" }
            + flags.filter { known & $0.0 != 0 }.map { "\($0.0) is \(raw.flags & $0.1 != 0)" }
    }
}
