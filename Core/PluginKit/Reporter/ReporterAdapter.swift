internal import Glibc
internal import PluginABI

/// One reporter behind the ABI's table of functions.
@safe final class ReporterAdapter {
    let reporter: any Reporter
    let host: ReporterHost
    let commands: LastingText?
    private let table: UnsafeMutablePointer<tally_plugin>
    private let reporterTable: UnsafeMutablePointer<tally_reporter>

    /// Makes an instance that lives until `destroy`.
    static func make(_ type: any Reporter.Type, host: HostPointer) -> UnsafePointer<tally_plugin> {
        let instance = unsafe ReporterAdapter(type, host: host)
        unsafe instance.table.pointee.plugin_data = unsafe Unmanaged.passRetained(instance).toOpaque()
        return unsafe UnsafePointer(instance.table)
    }

    private init(_ type: any Reporter.Type, host: HostPointer) {
        self.host = unsafe ReporterHost(HostPort(host))
        reporter = type.init(host: self.host)
        commands = Self.commandList(reporter)
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Self.functions)
        unsafe reporterTable = .allocate(capacity: 1)
        unsafe reporterTable.initialize(to: Self.reporterFunctions)
    }

    deinit {
        unsafe table.deallocate()
        unsafe reporterTable.deallocate()
    }

    // MARK: - Calls

    private func start(_ configuration: tally_str) -> tally_status {
        if let missing = host.connect() {
            return host.port.fail(TALLY_ERR_UNSUPPORTED, "this host does not offer \(missing), which is needed here")
        }
        do throws(ConfigurationError) {
            unsafe try reporter.configure(ConfigurationText.parse(configuration))
            tellWants()
            return TALLY_OK
        } catch {
            return host.port.fail(TALLY_ERR_CONFIG, error.description)
        }
    }

    /// Writes down what the reporter wants, where the host reads it.
    func tellWants() {
        // 0 stands for everything, also for kinds that only a newer host knows.
        unsafe reporterTable.pointee.wants = reporter.wants == .all ? 0 : reporter.wants.rawValue
    }

    private func enable() -> tally_status {
        do throws(ReporterFault) {
            try reporter.enable()
            return TALLY_OK
        } catch {
            return fail(error)
        }
    }

    private func deliver(_ outputs: OutputBatch) -> Int64 {
        do throws(ReporterFault) {
            return Int64(try reporter.deliver(outputs))
        } catch {
            return Int64(fail(error))
        }
    }

    private func fail(_ fault: ReporterFault) -> tally_status {
        host.port.fail(fault.cause == .device ? TALLY_ERR_IO : TALLY_ERR_INTERNAL, fault.message)
    }

    // MARK: - Tables

    /// The instance behind a table.
    static func with<Result>(
        _ plugin: UnsafePointer<tally_plugin>,
        or absent: Result,
        _ body: (ReporterAdapter) -> Result
    ) -> Result {
        guard let data = unsafe plugin.pointee.plugin_data else { return absent }
        return unsafe body(Unmanaged<ReporterAdapter>.fromOpaque(data).takeUnretainedValue())
    }

    private nonisolated(unsafe) static let functions = unsafe tally_plugin(
        struct_size: UInt32(MemoryLayout<tally_plugin>.size),
        reserved0: 0,
        plugin_data: nil,
        init: { plugin, configuration in
            unsafe ReporterAdapter.with(plugin, or: TALLY_ERR_STATE) { unsafe $0.start(configuration) }
        },
        enable: { plugin in
            unsafe ReporterAdapter.with(plugin, or: TALLY_ERR_STATE) { $0.enable() }
        },
        disable: { plugin in
            unsafe ReporterAdapter.with(plugin, or: ()) { $0.reporter.disable() }
        },
        destroy: { plugin in
            guard let data = unsafe plugin.pointee.plugin_data else { return }
            unsafe Unmanaged<ReporterAdapter>.fromOpaque(data).release()
        },
        get_extension: { plugin, id in
            unsafe ReporterAdapter.with(plugin, or: nil) { instance in
                unsafe strcmp(id, TALLY_EXT_REPORTER) == 0
                    ? UnsafeRawPointer(instance.reporterTable) : instance.controlTable(id)
            }
        }
    )

    private static let reporterFunctions = unsafe tally_reporter(
        struct_size: UInt32(MemoryLayout<tally_reporter>.size),
        wants: 0,
        take: { plugin, items, count in
            unsafe ReporterAdapter.with(plugin, or: Int64(TALLY_ERR_STATE)) {
                unsafe $0.deliver(OutputBatch(items, count: Int(count)))
            }
        },
        flush: { plugin, token, run, session, budget in
            unsafe ReporterAdapter.with(plugin, or: ()) {
                unsafe $0.reporter.flush(
                    FlushRequest(
                        token: token,
                        playerRunID: UTF8Text(run).string,
                        session: session,
                        budgetMilliseconds: budget
                    )
                )
            }
        }
    )
}
