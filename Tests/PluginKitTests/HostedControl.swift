import PluginABI
import PluginKit

/// What a host does with a plugin's extensions for run time.
@safe struct HostedControl {
    private let plugin: UnsafePointer<tally_plugin>
    private let arena = Arena()

    init(_ plugin: UnsafePointer<tally_plugin>) {
        unsafe self.plugin = unsafe plugin
    }

    /// The list of commands, as text; nil when there are none.
    var commandList: String? {
        guard let table: tally_command = table(TALLY_EXT_COMMAND), let list = unsafe table.list else { return nil }
        let text = unsafe list(plugin)
        return unsafe String(
            decoding: UnsafeRawBufferPointer(start: text.ptr, count: text.len),
            as: UTF8.self
        )
    }

    /// Configures it at a time; without a state as a host of 1.0 does.
    func configure(_ text: String, at time: Int64 = 0, _ block: TestBlock?) -> tally_status {
        guard let table: tally_configure = table(TALLY_EXT_CONFIGURE) else { return TALLY_ERR_UNSUPPORTED }
        let text = unsafe arena.text(text)
        guard let block, let apply = unsafe table.apply else { return unsafe table.configure(plugin, text) }
        return unsafe apply(plugin, text, time, block.state)
    }

    /// Runs a command; without a state as a host of 1.0 does.
    func command(
        _ name: String,
        _ arguments: String,
        at time: Int64 = 0,
        _ block: TestBlock?
    ) -> (status: tally_status, answer: String) {
        guard let table: tally_command = table(TALLY_EXT_COMMAND) else { return (TALLY_ERR_UNSUPPORTED, "") }
        let sink = Sink()
        let name = unsafe arena.text(name)
        let arguments = unsafe arena.text(arguments)
        let status =
            if let block, let call = unsafe table.call {
                unsafe sink.with { unsafe call(plugin, name, arguments, time, block.state, $0) }
            } else {
                unsafe sink.with { unsafe table.run(plugin, name, arguments, $0) }
            }
        return (status, String(decoding: sink.bytes, as: UTF8.self))
    }

    /// The number of the state's format; nil when it is not offered.
    var stateFormat: UInt32? {
        let table: tally_state_transfer? = table(TALLY_EXT_STATE)
        return table?.format
    }

    func saveState() -> (status: tally_status, state: [UInt8]) {
        guard let table: tally_state_transfer = table(TALLY_EXT_STATE) else { return (TALLY_ERR_UNSUPPORTED, []) }
        let sink = Sink()
        let status = unsafe sink.with { unsafe table.save(plugin, $0) }
        return (status, sink.bytes)
    }

    func loadState(_ state: [UInt8]) -> tally_status {
        guard let table: tally_state_transfer = table(TALLY_EXT_STATE) else { return TALLY_ERR_UNSUPPORTED }
        return unsafe state.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TALLY_ERR_INVALID }
            return unsafe table.load(plugin, start, bytes.count)
        }
    }

    private func table<Table>(_ id: String) -> Table? {
        unsafe plugin.pointee.get_extension(plugin, id)?.assumingMemoryBound(to: Table.self).pointee
    }
}

/// Keeps what a plugin writes.
private final class Sink {
    private(set) var bytes: [UInt8] = []

    func with(_ body: (UnsafePointer<tally_sink>) -> tally_status) -> tally_status {
        var sink = unsafe tally_sink(
            ctx: Unmanaged.passUnretained(self).toOpaque(),
            write: { sink, bytes, count in
                guard let context = unsafe sink.pointee.ctx else { return TALLY_ERR_INVALID }
                unsafe Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue().bytes
                    .append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
                return TALLY_OK
            }
        )
        return unsafe body(&sink)
    }
}
