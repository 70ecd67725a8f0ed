package import PluginABI

/// A made and initialised instance of a plugin, with the calls of its life cycle.
@safe package struct PluginInstance {
    /// The instance's own structure; the plugin's memory.
    package let plugin: UnsafePointer<tally_plugin>
    private let table: tally_plugin
    /// Who is named when the process dies in a call to it.
    package let identity: PluginIdentity
    package let instance: String
    private let path: String
    package let errorText: () -> String

    /// Makes and initialises an instance; after a failed init it is destroyed.
    package static func make(
        _ entry: PluginCatalog.Entry,
        instance: String,
        host: UnsafePointer<tally_host>,
        run: UnsafePointer<tally_run_info>?,
        configuration: String,
        errorText: @escaping () -> String
    ) -> Result<PluginInstance, PluginError> {
        let made: PluginInstance
        switch unsafe make(entry, instance: instance, host: host, run: run, errorText: errorText) {
        case .success(let instance): made = instance
        case .failure(let error): return .failure(error)
        }
        let status = made.call(.initialize) {
            unsafe CText.with(configuration) { unsafe made.table.`init`(made.plugin, $0) }
        }
        guard status >= 0 else {
            let error = PluginError.failed(instance: instance, call: "init", status: status, reason: errorText())
            made.destroy()
            return .failure(error)
        }
        return .success(made)
    }

    /// Makes an instance that is not initialised.
    static func make(
        _ entry: PluginCatalog.Entry,
        instance: String,
        host: UnsafePointer<tally_host>,
        run: UnsafePointer<tally_run_info>?,
        errorText: @escaping () -> String
    ) -> Result<PluginInstance, PluginError> {
        // A reporter gets no run: a tracker that is made as one would find nothing where its run should be.
        let needed: PluginKind = unsafe run == nil ? .reporter : .tracker
        guard entry.description.kind == needed else {
            let missing = needed == .reporter ? TALLY_EXT_REPORTER : TALLY_EXT_TRACKER
            return .failure(.noTable(path: entry.library.path, extensionID: missing))
        }
        let identity = PluginIdentity(entry.description, instance: instance)
        let plugin: UnsafePointer<tally_plugin>
        do throws(PluginError) {
            try entry.library.load()
            guard
                let made = unsafe identity.call(
                    .create,
                    { unsafe entry.library.create(host, entry.description.id, run) }
                )
            else { return .failure(.createRefused(instance: instance)) }
            unsafe plugin = unsafe made
        } catch {
            return .failure(error)
        }
        let path = entry.library.path
        let table: tally_plugin
        do throws(PluginError) {
            unsafe table = try FunctionTables.plugin.copy(plugin, of: path, prefix: "\(entry.description.id): ").get()
        } catch {
            return .failure(error)
        }
        return unsafe .success(
            PluginInstance(
                plugin: plugin,
                table: table,
                identity: identity,
                instance: instance,
                path: path,
                errorText: errorText
            )
        )
    }

    /// Enables the instance; returns what went wrong.
    package func enable() -> PluginError? {
        let status = call(.enable) { unsafe table.enable(plugin) }
        guard status < 0 else { return nil }
        return .failed(instance: instance, call: "enable", status: status, reason: errorText())
    }

    package func disable() { call(.disable) { unsafe table.disable(plugin) } }

    package func destroy() { call(.destroy) { unsafe table.destroy(plugin) } }

    /// Calls into the plugin; a process that dies in there names it.
    @inline(__always)
    package func call<Result>(_ call: PluginCall, _ body: () -> Result) -> Result {
        identity.call(call, body)
    }

    /// The plugin's table for trackers.
    package func trackerTable() throws(PluginError) -> tally_tracker {
        unsafe try neededTable(TALLY_EXT_TRACKER, FunctionTables.tracker)
    }

    /// The plugin's table for reporters.
    package func reporterTable() throws(PluginError) -> tally_reporter {
        unsafe try neededTable(TALLY_EXT_REPORTER, FunctionTables.reporter)
    }

    private func neededTable<Table: BitwiseCopyable>(
        _ id: String,
        _ structure: ForeignStructure<Table>
    ) throws(PluginError) -> Table {
        guard let table = try extensionTable(id, structure) else { throw .noTable(path: path, extensionID: id) }
        return table
    }

    /// A copy of an extension's table, nil when the plugin does not offer it.
    func extensionTable<Table: BitwiseCopyable>(
        _ id: String,
        _ structure: ForeignStructure<Table>
    ) throws(PluginError) -> Table? {
        guard let pointer = unsafe call(.getExtension, { unsafe table.get_extension(plugin, id) }) else { return nil }
        return unsafe try structure.copy(pointer, of: path, prefix: "\(instance): ").get()
    }
}
