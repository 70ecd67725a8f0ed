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
        let text = LastingText(configuration)
        let (start, count) = text.registers
        var arguments = unsafe CallArguments(plugin, start, count, UInt64(register: time))
        unsafe arguments[4] = UInt64(register: state)
        return outcome(.configure) { () throws(PluginError) in
            let status = unsafe try call(
                .configure,
                unsafeBitCast(table.configure, to: UnsafeRawPointer.self),
                arguments
            ).status
            text.free()
            return status
        }
    }

    /// The commands that it lists.
    package var commands: [PluginCommand] {
        guard let table = try? commandTable() else { return [] }
        let function = unsafe unsafeBitCast(table.list, to: UnsafeRawPointer.self)
        guard let list = unsafe try? call(.command, function) else { return [] }
        return unsafe PluginCommand.list(list.text.text)
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
        let (words, details) = (LastingText(command), LastingText(arguments))
        var passed = unsafe CallArguments(plugin, words.registers.0, words.registers.1, details.registers.0)
        passed[4] = details.registers.1
        passed[5] = UInt64(register: time)
        unsafe passed[6] = UInt64(register: state)
        unsafe passed[7] = UInt64(register: sink.raw)
        let status: tally_status
        do throws(PluginError) {
            status = unsafe try call(.command, unsafeBitCast(table.run, to: UnsafeRawPointer.self), passed).status
        } catch {
            // The plugin may write for as long as it likes.
            _ = unsafe Unmanaged.passRetained(sink)
            return .failure(error)
        }
        words.free()
        details.free()
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

/// Takes bytes from a plugin for the time of one call: the answer to a command.
@safe package final class ByteSink {
    /// How many bytes a plugin may write in one call.
    package static let largest = 1024 * 1024

    /// What was written so far.
    package private(set) var bytes: [UInt8] = []
    /// The sink as the plugin gets it.
    let raw: UnsafeMutablePointer<tally_sink>

    /// The bytes as text; what is not UTF-8 is replaced.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Nothing was written yet.
    package init() {
        unsafe raw = .allocate(capacity: 1)
        unsafe raw.initialize(
            to: tally_sink(
                ctx: nil,
                write: { sink, bytes, count in
                    guard let context = unsafe sink.pointee.ctx else { return TALLY_ERR_INVALID }
                    let target = unsafe Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue()
                    return unsafe target.append(UnsafeRawBufferPointer(start: bytes, count: count))
                }
            )
        )
        unsafe raw.pointee.ctx = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit { unsafe raw.deallocate() }

    /// Lends the sink to a call.
    package func lend<Result>(_ body: (UnsafePointer<tally_sink>) -> Result) -> Result { unsafe body(raw) }

    private func append(_ more: UnsafeRawBufferPointer) -> tally_status {
        guard more.count <= Self.largest - bytes.count else { return TALLY_ERR_TOO_LARGE }
        unsafe bytes.append(contentsOf: more)
        return TALLY_OK
    }
}
