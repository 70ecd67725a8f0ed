internal import EventModel
internal import Glibc
internal import PluginABI
internal import TextEncoding

/// One plugin behind the ABI's table of functions: what trackers and reporters have in common.
@safe class PluginAdapter {
    let port: HostPort
    private let isReconfigurable: Bool
    /// The commands that there are; nil for a plugin that runs none.
    private let commands: [CommandDescriptor]?
    private let commandList: LastingText
    private let table: UnsafeMutablePointer<tally_plugin>

    init(_ port: HostPort, isReconfigurable: Bool, commands: [CommandDescriptor]?) {
        self.port = port
        self.isReconfigurable = isReconfigurable
        self.commands = commands
        commandList = LastingText(CommandDescriptor.list(commands ?? []))
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Self.functions)
    }

    deinit {
        unsafe table.deallocate()
    }

    /// Gives the instance to the host, which keeps it until `destroy`.
    func handOver() -> UnsafePointer<tally_plugin> {
        unsafe table.pointee.plugin_data = unsafe Unmanaged.passRetained(self).toOpaque()
        return unsafe UnsafePointer(table)
    }

    // MARK: - What a tracker and a reporter do in their own way

    /// Looks up the extensions; gives the first one that the host does not offer.
    func connect() -> String? { nil }

    /// Configures the plugin, before everything else.
    func configure(_ configuration: JSONValue) throws(ConfigurationError) {}

    /// Lets the plugin begin to work.
    func enable() -> tally_status { TALLY_OK }

    /// Lets the plugin end its work.
    func disable() {}

    /// Whether the host has said what a new configuration or a command needs to know of the player.
    func knowsPlayer(at time: Int64, _ state: UnsafePointer<tally_state>?) -> Bool { true }

    /// Configures the plugin anew.
    func reconfigure(
        _ configuration: JSONValue,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) throws(ConfigurationError) {}

    /// Runs one of the plugin's commands.
    func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) throws(CommandError) -> JSONValue { .null }

    /// The table of an extension that not every plugin has; nil when this one does not offer it.
    func ownTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? { nil }

    // MARK: - Calls

    private func start(_ configuration: tally_str) -> tally_status {
        if let missing = connect() {
            return port.fail(TALLY_ERR_UNSUPPORTED, "this host does not offer \(missing), which is needed here")
        }
        return unsafe read(configuration) { (value) throws(ConfigurationError) in try configure(value) }
    }

    private func read(
        _ configuration: tally_str,
        _ body: (JSONValue) throws(ConfigurationError) -> Void
    ) -> tally_status {
        do throws(ConfigurationError) {
            unsafe try body(ConfigurationText.parse(configuration))
            return TALLY_OK
        } catch {
            return port.fail(TALLY_ERR_CONFIG, error.description)
        }
    }

    private func reconfigure(
        with configuration: tally_str,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) -> tally_status {
        guard unsafe knowsPlayer(at: time, state) else { return withoutPlayer() }
        return unsafe read(configuration) { (value) throws(ConfigurationError) in
            unsafe try reconfigure(value, at: time, state)
        }
    }

    private func run(_ call: CommandCall, at time: Int64, _ state: UnsafePointer<tally_state>?) -> tally_status {
        guard unsafe knowsPlayer(at: time, state) else { return withoutPlayer() }
        return call.run(commands ?? [], on: port) { (name, arguments) throws(CommandError) in
            unsafe try run(name, arguments, at: time, state)
        }
    }

    private func withoutPlayer() -> tally_status {
        port.fail(TALLY_ERR_INVALID, "a tracker has to be told what the player does")
    }

    private func extensionTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        if isReconfigurable, unsafe strcmp(id, TALLY_EXT_CONFIGURE) == 0 {
            return unsafe UnsafeRawPointer(Self.configureTable)
        }
        if commands != nil, unsafe strcmp(id, TALLY_EXT_COMMAND) == 0 {
            return unsafe UnsafeRawPointer(Self.commandTable)
        }
        return unsafe ownTable(id)
    }

    // MARK: - Tables

    private nonisolated(unsafe) static let functions = unsafe tally_plugin(
        struct_size: UInt32(MemoryLayout<tally_plugin>.size),
        reserved0: 0,
        plugin_data: nil,
        init: { plugin, configuration in
            unsafe plugin.with(PluginAdapter.self, or: TALLY_ERR_STATE) { unsafe $0.start(configuration) }
        },
        enable: { plugin in
            unsafe plugin.with(PluginAdapter.self, or: TALLY_ERR_STATE) { $0.enable() }
        },
        disable: { plugin in
            unsafe plugin.with(PluginAdapter.self, or: ()) { $0.disable() }
        },
        destroy: { plugin in
            guard let data = unsafe plugin.pointee.plugin_data else { return }
            unsafe Unmanaged<PluginAdapter>.fromOpaque(data).release()
        },
        get_extension: { plugin, id in
            unsafe plugin.with(PluginAdapter.self, or: nil) { unsafe $0.extensionTable(id) }
        }
    )

    private nonisolated(unsafe) static let configureTable = unsafe UnsafePointer.lasting(
        tally_configure(
            struct_size: UInt32(MemoryLayout<tally_configure>.size),
            reserved0: 0,
            configure: { plugin, configuration, time, state in
                unsafe plugin.with(PluginAdapter.self, or: TALLY_ERR_STATE) {
                    unsafe $0.reconfigure(with: configuration, at: time, state)
                }
            }
        )
    )

    private nonisolated(unsafe) static let commandTable = unsafe UnsafePointer.lasting(
        tally_command(
            struct_size: UInt32(MemoryLayout<tally_command>.size),
            reserved0: 0,
            run: { plugin, name, arguments, time, state, answer in
                unsafe plugin.with(PluginAdapter.self, or: TALLY_ERR_STATE) {
                    unsafe $0.run(CommandCall(name, arguments, answer), at: time, state)
                }
            },
            list: { plugin in
                unsafe plugin.with(PluginAdapter.self, or: tally_str()) { unsafe $0.commandList.lent }
            }
        )
    )
}

extension UnsafePointer<tally_plugin> {
    /// Calls the instance behind a table; no reference is counted, since the host keeps the instance until `destroy`.
    @inline(__always)
    func with<Adapter: PluginAdapter, Result>(
        _ type: Adapter.Type,
        or absent: Result,
        _ body: (Adapter) -> Result
    ) -> Result {
        guard let data = unsafe pointee.plugin_data else { return absent }
        return unsafe Unmanaged<Adapter>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
    }
}

extension UnsafePointer {
    /// A copy that lives as long as the process.
    static func lasting(_ value: Pointee) -> UnsafePointer<Pointee> {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: 1)
        unsafe memory.initialize(to: value)
        return unsafe UnsafePointer(memory)
    }

    /// A copy of values one behind another that lives as long as the process.
    static func lasting(_ values: [Pointee]) -> UnsafePointer<Pointee> {
        let memory = UnsafeMutablePointer<Pointee>.allocate(capacity: values.count)
        unsafe memory.initialize(from: values, count: values.count)
        return unsafe UnsafePointer(memory)
    }
}
