internal import Coordinator
public import PluginABI
internal import PluginKit
public import TextEncoding

extension FakeHost {
    /// Makes, initialises and enables the instance, as a host does with a plugin that its configuration names.
    ///
    /// - Throws: ``FakeHostError`` with the plugin's own words when it refuses.
    public func start(_ configuration: JSONValue = .object([:])) throws(FakeHostError) {
        try start(text: configuration.canonicalText)
    }

    /// Makes, initialises and enables the instance with a configuration as it is written, JSON or not.
    ///
    /// - Throws: ``FakeHostError`` with the plugin's own words when it refuses.
    public func start(text configuration: String) throws(FakeHostError) {
        guard create() else { throw FakeHostError.createRefused(plugin: pluginID) }
        try check("init", initialize(text: configuration))
        try check("enable", enable())
    }

    /// Destroys an instance that refuses, as a host does.
    private func check(_ call: String, _ status: tally_status) throws(FakeHostError) {
        guard status < TALLY_OK else { return }
        destroy()
        throw FakeHostError.failed(plugin: pluginID, call: call, status: status, text: faults.last?.text ?? "")
    }

    /// Makes the instance; false when the library refuses.
    ///
    /// An instance that is there already is destroyed.
    @discardableResult
    public func create() -> Bool { unsafe create(host: nil, run: nil) }

    /// Makes the instance with a host structure, or with information on the run, that is not this host's own.
    package func create(host foreign: UnsafePointer<tally_host>?, run: UnsafePointer<tally_run_info>?) -> Bool {
        destroy()
        unsafe structure.pointee = table
        let host = unsafe foreign ?? UnsafePointer(structure)
        if isReporter {
            unsafe plugin = entry.pointee.create(entry, host, pluginID, run)
        } else if let run = unsafe run {
            unsafe plugin = entry.pointee.create(entry, host, pluginID, run)
        } else {
            unsafe plugin = lendRun { unsafe entry.pointee.create(entry, host, pluginID, $0) }
        }
        return unsafe plugin != nil
    }

    /// The structure that a plugin reaches this host through.
    package var table: tally_host {
        unsafe FakeHostTables.host(data: Unmanaged.passUnretained(self).toOpaque(), minor: abiMinor)
    }

    private func lendRun<Result>(_ body: (UnsafePointer<tally_run_info>) -> Result) -> Result {
        unsafe StoredValues.with(storedBefore) { stored in
            unsafe tally_str.lend(playerRunID) { playerRunID in
                unsafe tally_str.lend(instance) { instance in
                    var run = unsafe tally_run_info(
                        struct_size: UInt32(MemoryLayout<tally_run_info>.size),
                        semantics: RunDescription.currentSemantics,
                        player_run_id: playerRunID,
                        instance: instance,
                        epoch_us: epochMicroseconds,
                        stored: stored
                    )
                    return unsafe body(&run)
                }
            }
        }
    }

    /// Hands the instance its configuration: the ABI's `init`.
    @discardableResult
    public func initialize(_ configuration: JSONValue = .object([:])) -> tally_status {
        initialize(text: configuration.canonicalText)
    }

    /// Hands the instance its configuration as it is written, JSON or not.
    @discardableResult
    public func initialize(text configuration: String) -> tally_status {
        guard let plugin = unsafe plugin else { return TALLY_ERR_STATE }
        return unsafe tally_str.lend(configuration) { unsafe plugin.pointee.`init`(plugin, $0) }
    }

    /// Enables the instance, which may emit from here on.
    @discardableResult
    public func enable() -> tally_status {
        guard let plugin = unsafe plugin else { return TALLY_ERR_STATE }
        isServing = true
        let status = unsafe plugin.pointee.enable(plugin)
        isEnabled = status >= TALLY_OK
        isServing = isEnabled
        if !isEnabled { timers.cancelAll() }
        return status
    }

    /// Disables the instance: its timers are gone, and it may not emit any more.
    public func disable() {
        guard let plugin = unsafe plugin else { return }
        isEnabled = false
        isServing = false
        unsafe plugin.pointee.disable(plugin)
        timers.cancelAll()
    }

    /// Destroys the instance; what it said stays.
    public func destroy() {
        guard let plugin = unsafe plugin else { return }
        if isEnabled { disable() }
        unsafe plugin.pointee.destroy(plugin)
        unsafe self.plugin = nil
        session = 0
    }

    /// Whether the instance offers an extension: `tally.command/1`.
    public func offers(_ extensionID: String) -> Bool {
        guard let plugin = unsafe plugin else { return false }
        return unsafe plugin.pointee.get_extension(plugin, extensionID) != nil
    }

    /// The instance's table for an extension.
    func table<Table>(_ extensionID: String, _ type: Table.Type) -> UnsafePointer<Table>? {
        guard let plugin = unsafe plugin else { return nil }
        return unsafe plugin.pointee.get_extension(plugin, extensionID)?.assumingMemoryBound(to: type)
    }
}

/// Why ``FakeHost/start(_:)`` gives no running instance.
public enum FakeHostError: Error, Equatable, CustomStringConvertible {
    /// The library makes no instance: it has no plugin with this id, or no memory.
    case createRefused(plugin: String)
    /// The plugin's `init` or `enable` returned an error; with the plugin's own words, which may be none.
    case failed(plugin: String, call: String, status: Int32, text: String)

    /// What happened, for people.
    public var description: String {
        switch self {
        case .createRefused(let plugin): "the library makes no instance of \"\(plugin)\"; is that its plugin's id?"
        case .failed(let plugin, let call, let status, let text):
            "\(call) of \"\(plugin)\" returned \(status): \(text.isEmpty ? "no reason given" : text)"
        }
    }
}
