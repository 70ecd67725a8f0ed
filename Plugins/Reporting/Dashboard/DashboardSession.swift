internal import Glibc
internal import PluginKit
internal import Serving
internal import Threads

/// A dashboard from its start to its end: the server, the thread that looks at the clock, and the file.
final class DashboardSession: @unchecked Sendable {
    /// How often is stored what has changed, us.
    private static let savingInterval: Int64 = 10_000_000

    /// The address with the token.
    let address: String

    private let configuration: DashboardConfiguration
    private let model: LiveModel
    private let host: ReporterHost
    private let server: DashboardServer
    private let source: PageSource
    private let isOver = Guarded(false)
    private var clock: PluginThread?
    // Used by the clock's thread, and behind its end.
    private let store: DashboardStore?
    private var lastSaved: Int64 = 0
    private var isFailing = false

    /// Begins to answer browsers; what was stored is taken over by a model that is new.
    init(
        _ configuration: DashboardConfiguration,
        _ model: LiveModel,
        isNew: Bool,
        _ host: ReporterHost
    ) throws(ReporterFault) {
        self.configuration = configuration
        self.model = model
        self.host = host
        store = configuration.database.isEmpty ? nil : try DashboardStore(configuration)
        if isNew, let store { model.restore(try store.read(at: LiveModel.wallClock())) }
        let token = try AccessToken(at: configuration.tokenPlace)
        let socket = try ListeningSocket(configuration.listen, port: configuration.port)
        let name = configuration.listen.contains(":") ? "[\(configuration.listen)]" : configuration.listen
        address = "http://\(name):\(socket.port)/?token=\(PercentEncoding.encode(token.text))"
        source = PageSource(model, host)
        server = DashboardServer(
            Admission(token, listening: configuration.listen, others: configuration.allowedHosts),
            token,
            source,
            host,
            port: socket.port
        )
        source.server = server
        if !configuration.urlFile.isEmpty {
            guard Self.isOwn(configuration.urlFile) else {
                close(socket.descriptor)
                throw ReporterFault(
                    "'\(configuration.urlFile)' is there and is no file of a dashboard's address; set \"url_file\" to another file"
                )
            }
            guard Self.write(address + "\n", to: configuration.urlFile) else {
                let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
                close(socket.descriptor)
                throw ReporterFault(
                    "cannot write the address to '\(configuration.urlFile)': \(reason); set \"url_file\" to another file"
                )
            }
        }
        try server.begin(on: socket, timeout: configuration.timeout)
        clock = PluginThread { [unowned self] in watchClock() }
        guard clock != nil else {
            server.end()
            throw ReporterFault("the system has no more threads; end some programs")
        }
        host.log(.info, "the dashboard is at \(address)")
        if !["127.0.0.1", "::1", "localhost"].contains(configuration.listen) {
            let advice = "what it says is not encrypted: put a TLS proxy in front"
            host.log(.warning, "others can reach the dashboard, and \(advice)")
        }
    }

    /// Ends it: connections are closed, and what is kept is stored.
    func end() {
        isOver.with { $0 = true }
        clock?.join()
        server.end()
        // What came since the clock was looked at last belongs to it.
        _ = model.advance()
        save()
        if !configuration.urlFile.isEmpty { unsafe unlink(configuration.urlFile) }
    }

    /// What it did so far.
    var statistics: JSONValue { source.statistics }

    // MARK: - The clock

    private func watchClock() {
        var version: UInt64 = 0
        while isOver.wait(milliseconds: configuration.refresh, { $0 ? true : nil }) == nil {
            let next = model.advance()
            source.made.with { $0 += 1 }
            // The page on plugins is anew each time; it costs little, and only while somebody looks.
            if next != version || server.counts.browsers > 0 { server.announce() }
            version = next
            if LiveModel.wallClock() - lastSaved >= Self.savingInterval { save() }
        }
    }

    private func save() {
        guard let store else { return }
        let now = LiveModel.wallClock()
        lastSaved = now
        do throws(ReporterFault) {
            try store.write(model.removeUnsaved(), at: now)
            isFailing = false
        } catch {
            if !isFailing { host.log(.error, "what ended is not stored: \(error)") }
            isFailing = true
        }
    }

    /// Whether a file may be written for an address: it is not there, or an earlier dashboard's.
    private static func isOwn(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return errno == ENOENT }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { return false }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return text.isEmpty || text.hasPrefix("http://") && text.contains("/?token=") && text.count < 4_000
    }

    /// Writes a file that nobody but its owner can read; false when that is not possible.
    private static func write(_ text: String, to path: String) -> Bool {
        unsafe unlink(path)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var text = text
        return text.withUTF8 { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
    }
}

/// What is asked for by its path.
private final class PageSource: DashboardServer.Source {
    private let model: LiveModel
    private let host: ReporterHost
    let made = Guarded<UInt64>(0)
    weak var server: DashboardServer?

    init(_ model: LiveModel, _ host: ReporterHost) {
        self.model = model
        self.host = host
    }

    var version: UInt64 { made.with { $0 } }

    func data(_ path: String) -> (bytes: [UInt8], isPacked: Bool)? {
        switch path {
        case "overview.json": return (model.overview(), false)
        case "sessions.json": return (model.list(), false)
        case "plugins.json": return (plugins(), false)
        default: break
        }
        // The run may have any text for an id; the number stands behind the last slash.
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0] == "session", let last = parts.last, last.hasSuffix(".json"),
            let number = UInt32(last.dropLast(".json".count))
        else { return nil }
        return model.page(run: parts[1..<parts.count - 1].joined(separator: "/"), number: number)
    }

    /// What the plugins of the host are and did, where it says, and what came of them here.
    private func plugins() -> [UInt8] {
        let buffer = ByteBuffer(capacity: 8192)
        var writer = JSONWriter(buffer)
        writer.beginObject()
        writer.key("host")
        if let status = host.status { writer.raw(status) } else { writer.null() }
        writer.key("trackers")
        unsafe model.trackers().withUnsafeBytes { unsafe writer.raw($0) }
        writer.key("dashboard")
        writer.raw(statistics.canonicalText)
        writer.endObject()
        return buffer.bytes
    }

    /// What the dashboard did so far.
    var statistics: JSONValue {
        let (open, taken) = model.counts
        let (counts, browsers) = server?.counts ?? (DashboardServer.Counts(), 0)
        return [
            "browsers": .int(Int64(browsers)), "answered": .int(counts.answered), "refused": .int(counts.refused),
            "dropped": .int(counts.dropped), "open_sessions": .int(Int64(open)), "taken": .int(Int64(clamping: taken)),
        ]
    }
}
