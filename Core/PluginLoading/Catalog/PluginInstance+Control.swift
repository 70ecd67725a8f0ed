package import PluginABI

// What an instance offers at run time: tally.configure/1, tally.command/1 and tally.state/1.
extension PluginInstance {
    /// Hands the instance a new configuration; a reporter gets no time and no state.
    package func configure(
        _ configuration: String,
        at time: Int64 = 0,
        state: UnsafePointer<tally_state>? = nil
    ) -> PluginError? {
        let offered: tally_configure?
        do throws(PluginError) {
            offered = unsafe try extensionTable(TALLY_EXT_CONFIGURE, FunctionTables.configure)
        } catch {
            return error
        }
        guard let table = offered else { return .notOffered(instance: instance, extensionID: TALLY_EXT_CONFIGURE) }
        let status = unsafe CText.with(configuration) { configuration in
            call(.configure) { unsafe table.configure(plugin, configuration, time, state) }
        }
        guard status < 0 else { return nil }
        return .failed(instance: instance, call: "configure", status: status, reason: errorText())
    }

    /// The commands that it lists.
    package var commands: [PluginCommand] {
        guard let table = try? commandTable() else { return [] }
        return PluginCommand.list(call(.command) { unsafe table.list(plugin).text })
    }

    /// Gives the instance a command; the answer is JSON text.
    package func run(
        command: String,
        arguments: String,
        at time: Int64 = 0,
        state: UnsafePointer<tally_state>? = nil
    ) -> Result<String, PluginError> {
        let offered: tally_command?
        do throws(PluginError) {
            offered = try commandTable()
        } catch {
            return .failure(error)
        }
        guard let table = offered else {
            return .failure(.notOffered(instance: instance, extensionID: TALLY_EXT_COMMAND))
        }
        let sink = ByteSink()
        let status = unsafe CText.with(command) { command in
            unsafe CText.with(arguments) { arguments in
                unsafe sink.lend { answer in
                    call(.command) { unsafe table.run(plugin, command, arguments, time, state, answer) }
                }
            }
        }
        if status == TALLY_ERR_NOT_FOUND {
            _ = errorText()
            return .failure(.noCommand(instance: instance, command: command, known: commands.map(\.name)))
        }
        guard status >= 0 else {
            return .failure(.failed(instance: instance, call: command, status: status, reason: errorText()))
        }
        return .success(sink.text)
    }

    private func commandTable() throws(PluginError) -> tally_command? {
        unsafe try extensionTable(TALLY_EXT_COMMAND, FunctionTables.command)
    }
}

/// Takes bytes from a plugin for the time of one call: the answer to a command, a saved state.
@safe package final class ByteSink {
    /// How many bytes a plugin may write in one call.
    package static let largest = 1024 * 1024

    /// What was written so far.
    package private(set) var bytes: [UInt8] = []

    /// The bytes as text; what is not UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Nothing was written yet.
    package init() {}

    /// Lends the sink to a call.
    package func lend<Result>(_ body: (UnsafePointer<tally_sink>) -> Result) -> Result {
        var sink = unsafe tally_sink(
            ctx: Unmanaged.passUnretained(self).toOpaque(),
            write: { sink, bytes, count in
                guard let context = unsafe sink.pointee.ctx else { return TALLY_ERR_INVALID }
                let target = unsafe Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
                return unsafe target.append(UnsafeRawBufferPointer(start: bytes, count: count))
            }
        )
        return unsafe withUnsafePointer(to: &sink) { unsafe body($0) }
    }

    private func append(_ more: UnsafeRawBufferPointer) -> tally_status {
        guard more.count <= Self.largest - bytes.count else { return TALLY_ERR_TOO_LARGE }
        unsafe bytes.append(contentsOf: more)
        return TALLY_OK
    }
}
