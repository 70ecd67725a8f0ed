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
            offered = try extensionTable(
                TALLY_EXT_CONFIGURE,
                FunctionTables.configure,
                FunctionTables.noConfigure
            )
        } catch {
            return error
        }
        guard let table = offered else {
            return .notOffered(instance: instance, extensionID: TALLY_EXT_CONFIGURE)
        }
        let status = unsafe CText.with(configuration) { configuration in
            call { unsafe table.configure(plugin, configuration, time, state) }
        }
        guard status < 0 else { return nil }
        return .failed(instance: instance, call: "configure", status: status, reason: errorText())
    }

    /// The commands that it lists.
    package var commands: [PluginCommand] {
        guard let table = try? commandTable() else { return [] }
        return unsafe PluginCommand.list(table.list(plugin).text)
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
                    call { unsafe table.run(plugin, command, arguments, time, state, answer) }
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

    /// The instance's table for carrying its state over, nil when it offers none.
    package func stateTable() throws(PluginError) -> tally_state_transfer? {
        try extensionTable(TALLY_EXT_STATE, FunctionTables.stateTransfer, FunctionTables.noStateTransfer)
    }

    private func commandTable() throws(PluginError) -> tally_command? {
        try extensionTable(TALLY_EXT_COMMAND, FunctionTables.command, FunctionTables.noCommand)
    }
}
