import PluginABI
import Testing

/// Trackers and what they say, as laid out in version 1.
@Suite("Trackers and what they say lie in memory as version 1 says")
struct TrackerLayoutTests {
    @Test func patch() {
        expectLayout(
            of: tally_patch.self,
            size: 24,
            [
                (\.part, 0),
                (\.kind, 4),
                (\.off, 8),
                (\.width, 16),
            ]
        )
    }

    @Test func header() {
        unsafe expectLayout(
            of: tally_header.self,
            size: 32,
            [
                (\.name, 0),
                (\.value, 16),
            ]
        )
    }

    @Test func beacon() {
        unsafe expectLayout(
            of: tally_beacon.self,
            size: 144,
            [
                (\.struct_size, 0),
                (\.flags, 4),
                (\.destination, 8),
                (\.method, 24),
                (\.url, 40),
                (\.body, 56),
                (\.headers, 72),
                (\.header_count, 80),
                (\.credential, 88),
                (\.patches, 104),
                (\.patch_count, 112),
                (\.records, 120),
                (\.record_count, 128),
                (\.max_age_s, 136),
            ]
        )
    }

    @Test func tracker() {
        unsafe expectLayout(
            of: tally_tracker.self,
            size: 40,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.session_begin, 8),
                (\.on_event, 16),
                (\.on_timer, 24),
                (\.session_end, 32),
            ]
        )
    }

    @Test func emit() {
        unsafe expectLayout(
            of: tally_emit.self,
            size: 32,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.record, 8),
                (\.beacon, 16),
                (\.player_error, 24),
            ]
        )
    }

    @Test func timer() {
        unsafe expectLayout(
            of: tally_timer.self,
            size: 24,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.start, 8),
                (\.cancel, 16),
            ]
        )
    }

    @Test func random() {
        unsafe expectLayout(
            of: tally_random.self,
            size: 16,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.next_u64, 8),
            ]
        )
    }

    @Test func store() {
        unsafe expectLayout(
            of: tally_store.self,
            size: 16,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.put, 8),
            ]
        )
    }
}
