internal import Glibc
internal import PluginABI

/// What a reporter takes at run time, beside outputs: `tally.configure/1` and `tally.command/1`.
extension ReporterAdapter {
    /// The table of an extension that the reporter's type offers; nil when it does not.
    func controlTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        if unsafe strcmp(id, TALLY_EXT_CONFIGURE) == 0, reporter is any ReconfigurableReporter {
            return unsafe UnsafeRawPointer(Self.configureTable)
        }
        if unsafe strcmp(id, TALLY_EXT_COMMAND) == 0, reporter is any CommandHandlingReporter {
            return unsafe UnsafeRawPointer(Self.commandTable)
        }
        return nil
    }

    /// The commands of a reporter, as the host lists them.
    static func commandList(_ reporter: any Reporter) -> LastingText? {
        (reporter as? any CommandHandlingReporter).map { LastingText(CommandDescriptor.list(type(of: $0).commands)) }
    }

    private func reconfigure(_ configuration: tally_str) -> tally_status {
        guard let reporter = reporter as? any ReconfigurableReporter else { return TALLY_ERR_UNSUPPORTED }
        do throws(ConfigurationError) {
            unsafe try reporter.reconfigure(ConfigurationText.parse(configuration))
            tellWants()
            return TALLY_OK
        } catch {
            return host.port.fail(TALLY_ERR_CONFIG, error.description)
        }
    }

    private func command(_ call: CommandCall) -> tally_status {
        guard let reporter = reporter as? any CommandHandlingReporter else { return TALLY_ERR_UNSUPPORTED }
        return call.run(type(of: reporter).commands, on: host.port) { (name, arguments) throws(CommandError) in
            try reporter.run(name, arguments)
        }
    }

    // MARK: - Tables

    private nonisolated(unsafe) static let configureTable: UnsafePointer<tally_configure> = {
        let table = UnsafeMutablePointer<tally_configure>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_configure(
                struct_size: UInt32(MemoryLayout<tally_configure>.size),
                reserved0: 0,
                configure: { plugin, configuration, _, _ in
                    unsafe ReporterAdapter.with(plugin, or: TALLY_ERR_STATE) { unsafe $0.reconfigure(configuration) }
                }
            )
        )
        return unsafe UnsafePointer(table)
    }()

    private nonisolated(unsafe) static let commandTable: UnsafePointer<tally_command> = {
        let table = UnsafeMutablePointer<tally_command>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_command(
                struct_size: UInt32(MemoryLayout<tally_command>.size),
                reserved0: 0,
                run: { plugin, name, arguments, _, _, answer in
                    unsafe ReporterAdapter.with(plugin, or: TALLY_ERR_STATE) {
                        unsafe $0.command(CommandCall(name, arguments, answer))
                    }
                },
                list: { plugin in
                    unsafe ReporterAdapter.with(plugin, or: tally_str()) { unsafe $0.commands?.lent ?? tally_str() }
                }
            )
        )
        return unsafe UnsafePointer(table)
    }()
}
