internal import EventModel
internal import Glibc
internal import PluginABI
internal import TextEncoding

/// One reporter behind the ABI's tables of functions.
@safe final class ReporterAdapter: PluginAdapter {
    private let reporter: any Reporter
    private let host: ReporterHost
    private let table: UnsafeMutablePointer<tally_reporter>

    /// Makes the reporter; the host is not called yet.
    init(_ type: any Reporter.Type, host: HostPointer) {
        let port = unsafe HostPort(host)
        self.host = ReporterHost(port)
        reporter = type.init(host: self.host)
        unsafe table = .allocate(capacity: 1)
        unsafe table.initialize(to: Self.functions)
        super.init(
            port,
            isReconfigurable: reporter is any ReconfigurableReporter,
            commands: (reporter as? any CommandHandlingReporter).map { Swift.type(of: $0).commands }
        )
    }

    deinit {
        unsafe table.deallocate()
    }

    override func connect() -> String? {
        host.connect()
    }

    override func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        try reporter.configure(configuration)
        publishWants()
    }

    override func enable() -> tally_status {
        do throws(ReporterFault) {
            try reporter.enable()
            return TALLY_OK
        } catch {
            return fail(error)
        }
    }

    override func disable() {
        reporter.disable()
    }

    override func reconfigure(
        _ configuration: JSONValue,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) throws(ConfigurationError) {
        try (reporter as? any ReconfigurableReporter)?.reconfigure(configuration)
        publishWants()
    }

    override func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        _ state: UnsafePointer<tally_state>?
    ) throws(CommandError) -> JSONValue {
        try (reporter as? any CommandHandlingReporter)?.run(command, arguments) ?? .null
    }

    override func ownTable(_ id: UnsafePointer<CChar>) -> UnsafeRawPointer? {
        unsafe strcmp(id, TALLY_EXT_REPORTER) == 0 ? UnsafeRawPointer(table) : nil
    }

    /// Writes down what the reporter wants, where the host reads it.
    private func publishWants() {
        // 0 stands for everything, also for kinds that only a newer host knows.
        unsafe table.pointee.wants = reporter.wants == .all ? 0 : reporter.wants.rawValue
    }

    private func deliver(_ outputs: OutputBatch) -> Int64 {
        do throws(ReporterFault) {
            return Int64(try reporter.deliver(outputs))
        } catch {
            return Int64(fail(error))
        }
    }

    private func fail(_ fault: ReporterFault) -> tally_status {
        port.fail(fault.cause == .device ? TALLY_ERR_IO : TALLY_ERR_INTERNAL, fault.message)
    }

    private static let functions = unsafe tally_reporter(
        struct_size: UInt32(MemoryLayout<tally_reporter>.size),
        wants: 0,
        take: { plugin, items, count in
            unsafe plugin.with(ReporterAdapter.self, or: Int64(TALLY_ERR_STATE)) {
                unsafe $0.deliver(OutputBatch(items, count: Int(count)))
            }
        },
        flush: { plugin, token, run, session, budget in
            unsafe plugin.with(ReporterAdapter.self, or: ()) {
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
