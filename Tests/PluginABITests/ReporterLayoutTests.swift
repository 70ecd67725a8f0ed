import PluginABI
import Testing

/// Reporters and control, as laid out in version 1.
@Suite("Reporters and control lie in memory as version 1 says")
struct ReporterLayoutTests {
    @Test func origin() {
        unsafe expectLayout(
            of: tally_origin.self,
            size: 112,
            [
                (\.struct_size, 0),
                (\.session, 4),
                (\.player_run_id, 8),
                (\.plugin_id, 24),
                (\.plugin_version, 40),
                (\.instance, 56),
                (\.ordinal, 72),
                (\.time_us, 80),
                (\.epoch_us, 88),
                (\.video_id, 96),
            ]
        )
    }

    @Test func output() {
        unsafe expectLayout(
            of: tally_output.self,
            size: 24,
            [
                (\.struct_size, 0),
                (\.what, 4),
                (\.origin, 8),
                (\.item, 16),
            ]
        )
    }

    @Test func reporter() {
        unsafe expectLayout(
            of: tally_reporter.self,
            size: 24,
            [
                (\.struct_size, 0),
                (\.wants, 4),
                (\.take, 8),
                (\.flush, 16),
            ]
        )
    }

    @Test func hostReporter() {
        unsafe expectLayout(
            of: tally_host_reporter.self,
            size: 24,
            [
                (\.struct_size, 0),
                (\.flags, 4),
                (\.ready, 8),
                (\.flushed, 16),
            ]
        )
    }

    @Test func hostStatus() {
        unsafe expectLayout(
            of: tally_host_status.self,
            size: 16,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.write, 8),
            ]
        )
    }

    @Test func sink() {
        unsafe expectLayout(
            of: tally_sink.self,
            size: 16,
            [
                (\.ctx, 0),
                (\.write, 8),
            ]
        )
    }

    @Test func configure() {
        unsafe expectLayout(
            of: tally_configure.self,
            size: 16,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.configure, 8),
            ]
        )
    }

    @Test func command() {
        unsafe expectLayout(
            of: tally_command.self,
            size: 24,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.run, 8),
                (\.list, 16),
            ]
        )
    }
}
