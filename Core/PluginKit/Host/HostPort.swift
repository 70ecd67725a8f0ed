internal import PluginABI

/// The host as one instance sees it: the table of base functions, and the way to the extensions.
@safe struct HostPort {
    let host: HostPointer
    private let functions: HostFunctions

    /// Copies the base functions; nothing is called.
    init(_ host: HostPointer) {
        unsafe self.host = unsafe host
        functions = unsafe ForeignStructure.copy(host, into: HostFunctions())
    }

    /// Writes a line to the host's log.
    func log(_ level: LogLevel, _ text: String) {
        guard let log = unsafe functions.log else { return }
        unsafe tally_str.lend(text) { unsafe log(host, level.rawValue, $0) }
    }

    /// Says why the error that is about to be returned happened.
    func fail(_ status: tally_status, _ text: String) -> tally_status {
        if let setError = unsafe functions.setError {
            unsafe tally_str.lend(text) { unsafe setError(host, status, $0) }
        }
        return status
    }

    /// The table of an extension over a zeroed one; nil when the host does not offer it.
    func table<Table>(_ id: String, into zeroed: Table) -> Table? {
        guard let getExtension = unsafe functions.getExtension, let table = unsafe getExtension(host, id) else {
            return nil
        }
        return unsafe ForeignStructure.copy(table.assumingMemoryBound(to: UInt32.self), into: zeroed)
    }
}

/// How much a log line matters.
public enum LogLevel: Int32, Sendable {
    /// For who works on the plugin.
    case debug = 0
    /// Worth knowing.
    case info = 1
    /// Something is not as it should be, and the work goes on.
    case warning = 2
    /// Something failed.
    case error = 3
}
