internal import PluginABI

/// A made and initialised instance of a plugin, with the calls of its life cycle.
@safe struct PluginInstance {
    /// The instance's own structure; the plugin's memory.
    let plugin: UnsafePointer<tally_plugin>
    private let table: tally_plugin
    private let instance: String
    private let errorText: () -> String

    /// Makes and initialises an instance; after a failed init it is destroyed.
    static func make(
        _ entry: PluginCatalog.Entry, instance: String, host: UnsafePointer<tally_host>,
        run: UnsafePointer<tally_run_info>?, configuration: String, errorText: @escaping () -> String
    ) -> Result<PluginInstance, PluginError> {
        guard let plugin = unsafe entry.library.entry.create(host, entry.description.id, run) else {
            return .failure(.createRefused(instance: instance))
        }
        let known = unsafe MemoryLayout<tally_plugin>.size
        guard let table = unsafe clampedCopy(plugin, zero: PluginInstance.nothing, minimum: known) else {
            return .failure(
                .invalid(path: entry.library.path, reason: "tally_plugin is smaller than that of ABI 1.0"))
        }
        let made = unsafe PluginInstance(plugin: plugin, table: table, instance: instance, errorText: errorText)
        let status = unsafe CText.with(configuration) { unsafe table.`init`(plugin, $0) }
        guard status >= 0 else {
            let error = PluginError.failed(instance: instance, call: "init", status: status, reason: errorText())
            made.destroy()
            return .failure(error)
        }
        return .success(made)
    }

    /// Enables the instance; returns what went wrong.
    func enable() -> PluginError? {
        let status = unsafe table.enable(plugin)
        guard status < 0 else { return nil }
        return .failed(instance: instance, call: "enable", status: status, reason: errorText())
    }

    func disable() {
        unsafe table.disable(plugin)
    }

    func destroy() {
        unsafe table.destroy(plugin)
    }

    /// The plugin's table for trackers, nil when it offers none.
    func trackerTable() -> tally_tracker? {
        guard let pointer = unsafe table.get_extension(plugin, TALLY_EXT_TRACKER) else { return nil }
        return unsafe clampedCopy(
            pointer,
            zero: tally_tracker(
                struct_size: 0, reserved0: 0, session_begin: { _, _ in TALLY_OK }, on_event: { _, _ in TALLY_OK },
                on_timer: { _, _, _, _ in }, session_end: { _, _, _, _ in }),
            minimum: MemoryLayout<tally_tracker>.size)
    }

    /// The plugin's table for reporters, nil when it offers none.
    func reporterTable() -> tally_reporter? {
        guard let pointer = unsafe table.get_extension(plugin, TALLY_EXT_REPORTER) else { return nil }
        return unsafe clampedCopy(
            pointer,
            zero: tally_reporter(
                struct_size: 0, wants: 0, take: { _, _, count in Int64(count) }, flush: { _, _, _, _, _ in }),
            minimum: MemoryLayout<tally_reporter>.size)
    }

    /// The plugin's table for configuration at run time, nil when it offers none.
    func configureTable() -> tally_configure? {
        guard let pointer = unsafe table.get_extension(plugin, TALLY_EXT_CONFIGURE) else { return nil }
        return unsafe clampedCopy(
            pointer, zero: tally_configure(struct_size: 0, reserved0: 0, configure: { _, _ in TALLY_ERR_UNSUPPORTED }),
            minimum: MemoryLayout<tally_configure>.size)
    }

    private static var nothing: tally_plugin {
        unsafe tally_plugin(
            struct_size: 0, reserved0: 0, plugin_data: nil, init: { _, _ in TALLY_ERR_UNSUPPORTED },
            enable: { _ in TALLY_ERR_UNSUPPORTED }, disable: { _ in }, destroy: { _ in },
            get_extension: { _, _ in nil })
    }
}
