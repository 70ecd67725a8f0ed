import PluginABI
import Testing

/// Blocks, as laid out in version 1.
@Suite("Blocks lie in memory as version 1 says")
struct BlockLayoutTests {
    @Test func str() {
        unsafe expectLayout(
            of: tally_str.self,
            size: 16,
            [
                (\.ptr, 0),
                (\.len, 8),
            ]
        )
    }

    @Test func attr() {
        expectLayout(
            of: tally_attr.self,
            size: 24,
            [
                (\.key_off, 0),
                (\.key_len, 4),
                (\.key_id, 6),
                (\.type, 8),
                (\.flags, 9),
                (\.reserved0, 10),
                (\.len, 12),
                (\.v, 16),
            ]
        )
    }

    @Test func state() {
        expectLayout(
            of: tally_state.self,
            size: 120,
            [
                (\.struct_size, 0),
                (\.known, 4),
                (\.flags, 8),
                (\.rate_milli, 12),
                (\.playhead_ms, 16),
                (\.reported_playhead_ms, 24),
                (\.reported_age_us, 32),
                (\.ad_playhead_ms, 40),
                (\.live_wall_ms, 48),
                (\.duration_ms, 56),
                (\.bitrate_bps, 64),
                (\.throughput_bps, 72),
                (\.dropped_frames, 80),
                (\.rendered_frames, 88),
                (\.fps_milli, 96),
                (\.width, 100),
                (\.height, 104),
                (\.volume_milli, 108),
                (\.player_width, 112),
                (\.player_height, 116),
            ]
        )
    }

    @Test func event() {
        expectLayout(
            of: tally_event.self,
            size: 56,
            [
                (\.size, 0),
                (\.header_size, 4),
                (\.type, 8),
                (\.flags, 12),
                (\.time_us, 16),
                (\.ordinal, 24),
                (\.session, 32),
                (\.type_name_off, 36),
                (\.type_name_len, 40),
                (\.state_off, 44),
                (\.attr_off, 48),
                (\.attr_count, 52),
            ]
        )
    }

    @Test func record() {
        expectLayout(
            of: tally_record.self,
            size: 32,
            alignment: 4,
            [
                (\.size, 0),
                (\.header_size, 4),
                (\.flags, 8),
                (\.kind_off, 12),
                (\.kind_len, 16),
                (\.attr_off, 20),
                (\.attr_count, 24),
                (\.reserved0, 28),
            ]
        )
    }
}
