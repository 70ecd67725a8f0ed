package import CLinux
package import PluginABI

/// A made and initialised instance of a plugin, with the calls of its life cycle.
///
/// A call of one whose limit is not 0 may be given up, on a thread that was made for that: it then throws
/// ``PluginError/stuck(instance:path:call:)``, and the instance must not be used any more, nor what it had borrowed be
/// given back.
@safe package struct PluginInstance {
    /// The instance's own structure; the plugin's memory.
    package let plugin: UnsafePointer<tally_plugin>
    private let table: tally_plugin
    /// Who is named when the process dies in a call to it.
    package let identity: PluginIdentity
    package let instance: String
    /// How long a call may take, ms, 0 for ever.
    package let callLimit: UInt32
    private let path: String
    package let errorText: () -> String

    /// Makes and initialises an instance; after a failed init it is destroyed.
    package static func make(
        _ entry: PluginCatalog.Entry,
        instance: String,
        host: UnsafePointer<tally_host>,
        run: UnsafePointer<tally_run_info>?,
        configuration: String,
        callLimit: UInt32 = 0,
        errorText: @escaping () -> String
    ) -> Result<PluginInstance, PluginError> {
        let made = unsafe make(
            entry,
            instance: instance,
            host: host,
            run: run,
            callLimit: callLimit,
            errorText: errorText
        )
        return made.flatMap { made in
            guard let error = made.initialize(configuration) else { return .success(made) }
            if !error.isStuck { try? made.destroy() }
            return .failure(error)
        }
    }

    /// Makes an instance that is not initialised.
    static func make(
        _ entry: PluginCatalog.Entry,
        instance: String,
        host: UnsafePointer<tally_host>,
        run: UnsafePointer<tally_run_info>?,
        callLimit: UInt32 = 0,
        errorText: @escaping () -> String
    ) -> Result<PluginInstance, PluginError> {
        // A reporter gets no run: a tracker that is made as one would find nothing where its run should be.
        let needed: PluginKind = unsafe run == nil ? .reporter : .tracker
        let path = entry.library.path
        guard entry.description.kind == needed else {
            let missing = needed == .reporter ? TALLY_EXT_REPORTER : TALLY_EXT_TRACKER
            return .failure(.noTable(path: path, extensionID: missing))
        }
        let identity = PluginIdentity(entry.description, instance: instance)
        let table: tally_plugin
        let plugin: UnsafePointer<tally_plugin>
        do throws(PluginError) {
            try entry.library.load()
            guard let created = unsafe try entry.create(host, run, as: identity, instance, limit: callLimit) else {
                return .failure(.createRefused(instance: instance))
            }
            unsafe plugin = unsafe created
            // An address that is none names the plugin as a crash in it does.
            unsafe table = try identity.call(.create) {
                unsafe FunctionTables.plugin.copy(plugin, of: path, prefix: "\(entry.description.id): ")
            }.get()
        } catch {
            return .failure(error)
        }
        return unsafe .success(
            PluginInstance(
                plugin: plugin,
                table: table,
                identity: identity,
                instance: instance,
                callLimit: callLimit,
                path: path,
                errorText: errorText
            )
        )
    }

    private func initialize(_ configuration: String) -> PluginError? {
        let text = LastingText(configuration)
        let (start, count) = text.registers
        return outcome(.initialize) { () throws(PluginError) in
            let function = unsafe unsafeBitCast(table.`init`, to: UnsafeRawPointer.self)
            let returned = unsafe try call(.initialize, function, start, count)
            text.free()
            return returned.status
        }
    }

    /// Enables the instance; returns what went wrong.
    package func enable() -> PluginError? {
        outcome(.enable) { () throws(PluginError) in
            unsafe try call(.enable, unsafeBitCast(table.enable, to: UnsafeRawPointer.self)).status
        }
    }

    package func disable() throws(PluginError) {
        _ = unsafe try call(.disable, unsafeBitCast(table.disable, to: UnsafeRawPointer.self))
    }

    package func destroy() throws(PluginError) {
        _ = unsafe try call(.destroy, unsafeBitCast(table.destroy, to: UnsafeRawPointer.self))
    }

    /// What a call came to that says how it went; nil when all is well.
    func outcome(_ call: PluginCall, _ body: () throws(PluginError) -> tally_status) -> PluginError? {
        do throws(PluginError) {
            let status = try body()
            guard status < 0 else { return nil }
            return .failed(instance: instance, call: call.name, status: status, reason: errorText())
        } catch {
            return error
        }
    }

    /// Calls one of the instance's functions, which gets the instance and these arguments; a process that dies in there
    /// names it.
    @inline(__always)
    package func call(
        _ call: PluginCall,
        _ function: UnsafeRawPointer,
        _ first: UInt64 = 0,
        _ second: UInt64 = 0,
        _ third: UInt64 = 0
    ) throws(PluginError) -> tally_returned {
        unsafe try self.call(call, function, CallArguments(plugin, first, second, third))
    }

    /// The same for functions with more arguments.
    @inline(__always)
    package func call(
        _ call: PluginCall,
        _ function: UnsafeRawPointer,
        _ arguments: CallArguments
    ) throws(PluginError) -> tally_returned {
        guard let returned = unsafe arguments.call(function, identity.opening(call), limit: callLimit) else {
            throw .stuck(instance: instance, path: path, call: call.name)
        }
        return returned
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
        let name = LastingText(id)
        let function = unsafe unsafeBitCast(table.get_extension, to: UnsafeRawPointer.self)
        let pointer = unsafe try call(.getExtension, function, name.address).pointer
        name.free()
        guard let pointer = unsafe pointer else { return nil }
        return try identity.call(.getExtension) {
            unsafe structure.copy(pointer, of: path, prefix: "\(instance): ")
        }.get()
    }
}

extension PluginCatalog.Entry {
    /// Makes an instance; nil when the plugin refuses.
    fileprivate func create(
        _ host: UnsafePointer<tally_host>,
        _ run: UnsafePointer<tally_run_info>?,
        as identity: PluginIdentity,
        _ instance: String,
        limit: UInt32
    ) throws(PluginError) -> UnsafePointer<tally_plugin>? {
        let id = LastingText(description.id)
        let (create, entry) = unsafe try library.creating()
        let arguments = unsafe CallArguments(
            entry,
            UInt64(register: host),
            id.address,
            UInt64(register: run)
        )
        guard let returned = unsafe arguments.call(create, identity.opening(.create), limit: limit) else {
            throw .stuck(instance: instance, path: library.path, call: PluginCall.create.name)
        }
        id.free()
        return unsafe returned.pointer?.assumingMemoryBound(to: tally_plugin.self)
    }
}
