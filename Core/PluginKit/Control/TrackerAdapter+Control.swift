internal import Glibc
internal import PluginABI

/// What a tracker takes at run time, beside events: `tally.configure/1`, `tally.command/1` and `tally.state/1`.
extension TrackerAdapter {
    /// The table of an extension that the tracker's type offers; nil when it does not.
    func controlTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        if unsafe strcmp(id, TALLY_EXT_CONFIGURE) == 0, tracker is any Reconfigurable {
            return unsafe UnsafeRawPointer(Self.configureTable)
        }
        if unsafe strcmp(id, TALLY_EXT_COMMAND) == 0, tracker is any CommandHandling {
            return unsafe UnsafeRawPointer(Self.commandTable)
        }
        if unsafe strcmp(id, TALLY_EXT_STATE) == 0, unsafe stateTable.pointee.format != 0 {
            return unsafe UnsafeRawPointer(stateTable)
        }
        return nil
    }

    /// The commands of a tracker, as the host lists them.
    static func commandList(_ tracker: any Tracker) -> LastingText? {
        (tracker as? any CommandHandling).map { LastingText(CommandDescriptor.list(type(of: $0).commands)) }
    }

    /// The table of the state's transfer, with the tracker's own format; 0 when it offers none.
    static func makeStateTable(_ tracker: any Tracker) -> UnsafeMutablePointer<tally_state_transfer> {
        let table = UnsafeMutablePointer<tally_state_transfer>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_state_transfer(
                struct_size: UInt32(MemoryLayout<tally_state_transfer>.size),
                format: (tracker as? any StateTransferring).map { type(of: $0).stateFormat } ?? 0,
                save: { plugin, sink in
                    unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) { unsafe $0.save(sink) }
                },
                load: { plugin, bytes, count in
                    unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) {
                        unsafe $0.loadState(UnsafeRawBufferPointer(start: bytes, count: count))
                    }
                }
            )
        )
        return unsafe table
    }

    // MARK: - Calls

    private func reconfigure(
        _ configuration: tally_str,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) -> tally_status {
        guard let tracker = tracker as? any Reconfigurable else { return TALLY_ERR_UNSUPPORTED }
        guard let state = unsafe state else { return withoutTime() }
        host.timers.now = time
        do throws(ConfigurationError) {
            let value = unsafe try ConfigurationText.parse(configuration)
            unsafe try tracker.reconfigure(value, at: time, state: PlayerState(state))
            return TALLY_OK
        } catch {
            return host.port.fail(TALLY_ERR_CONFIG, error.description)
        }
    }

    private func command(_ call: CommandCall, at time: Int64, _ state: UnsafePointer<tally_state>?) -> tally_status {
        guard let tracker = tracker as? any CommandHandling else { return TALLY_ERR_UNSUPPORTED }
        guard let state = unsafe state else { return withoutTime() }
        host.timers.now = time
        return call.run(type(of: tracker).commands, on: host.port) { (name, arguments) throws(CommandError) in
            unsafe try tracker.run(name, arguments, at: time, state: PlayerState(state))
        }
    }

    private func save(_ sink: UnsafePointer<tally_sink>) -> tally_status {
        guard let tracker = tracker as? any StateTransferring else { return TALLY_ERR_UNSUPPORTED }
        return unsafe tracker.saveState().withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return TALLY_OK }
            return unsafe sink.pointee.write(sink, start, bytes.count)
        }
    }

    private func loadState(_ bytes: UnsafeRawBufferPointer) -> tally_status {
        guard let tracker = tracker as? any StateTransferring else { return TALLY_ERR_UNSUPPORTED }
        do throws(TrackerFault) {
            unsafe try tracker.loadState([UInt8](bytes))
            return TALLY_OK
        } catch {
            return fail(error)
        }
    }

    /// There is nothing else to take the time from.
    private func withoutTime() -> tally_status {
        host.port.fail(TALLY_ERR_INVALID, "a tracker has to be told what the player does")
    }

    // MARK: - Tables

    private nonisolated(unsafe) static let configureTable: UnsafePointer<tally_configure> = {
        let table = UnsafeMutablePointer<tally_configure>.allocate(capacity: 1)
        unsafe table.initialize(
            to: tally_configure(
                struct_size: UInt32(MemoryLayout<tally_configure>.size),
                reserved0: 0,
                configure: { plugin, configuration, time, state in
                    unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) {
                        unsafe $0.reconfigure(configuration, at: time, state)
                    }
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
                run: { plugin, name, arguments, time, state, answer in
                    unsafe TrackerAdapter.with(plugin, or: TALLY_ERR_STATE) {
                        unsafe $0.command(CommandCall(name, arguments, answer), at: time, state)
                    }
                },
                list: { plugin in
                    unsafe TrackerAdapter.with(plugin, or: tally_str()) { unsafe $0.commands?.lent ?? tally_str() }
                }
            )
        )
        return unsafe UnsafePointer(table)
    }()
}
