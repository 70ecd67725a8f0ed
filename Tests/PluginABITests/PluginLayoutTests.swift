import PluginABI
import Testing

/// The plugin and its host, as laid out in version 1.
@Suite("The plugin and its host lie in memory as version 1 says")
struct PluginLayoutTests {
    @Test func host() {
        unsafe expectLayout(
            of: tally_host.self,
            size: 40,
            [
                (\.struct_size, 0),
                (\.abi_minor, 4),
                (\.host_data, 8),
                (\.log, 16),
                (\.set_error, 24),
                (\.get_extension, 32),
            ]
        )
    }

    @Test func plugin() {
        unsafe expectLayout(
            of: tally_plugin.self,
            size: 56,
            [
                (\.struct_size, 0),
                (\.reserved0, 4),
                (\.plugin_data, 8),
                (\.`init`, 16),
                (\.enable, 24),
                (\.disable, 32),
                (\.destroy, 40),
                (\.get_extension, 48),
            ]
        )
    }

    @Test func descriptor() {
        unsafe expectLayout(
            of: tally_descriptor.self,
            size: 112,
            [
                (\.struct_size, 0),
                (\.abi_minor, 4),
                (\.kind, 8),
                (\.caps, 12),
                (\.id, 16),
                (\.name, 24),
                (\.vendor, 32),
                (\.version, 40),
                (\.config_schema, 48),
                (\.requires_extensions, 56),
                (\.shared_config, 64),
                (\.store_keys, 72),
                (\.build, 80),
                (\.wanted_events, 88),
                (\.read_paths, 96),
                (\.written_paths, 104),
            ]
        )
    }

    @Test func runInfo() {
        unsafe expectLayout(
            of: tally_run_info.self,
            size: 56,
            [
                (\.struct_size, 0),
                (\.semantics, 4),
                (\.player_run_id, 8),
                (\.instance, 24),
                (\.epoch_us, 40),
                (\.stored, 48),
            ]
        )
    }

    @Test func entry() {
        unsafe expectLayout(
            of: tally_entry.self,
            size: 40,
            [
                (\.struct_size, 0),
                (\.abi_minor, 4),
                (\.count, 8),
                (\.reserved0, 12),
                (\.entry_data, 16),
                (\.descriptor, 24),
                (\.create, 32),
            ]
        )
    }
}
