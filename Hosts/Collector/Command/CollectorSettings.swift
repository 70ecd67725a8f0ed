internal import CollectedRuns
internal import CollectorServer
internal import Glibc
internal import HostSupport
internal import PlayerReports
internal import Tally

/// What the command line and the configuration come to.
struct CollectorSettings {
    let folder: String
    let address: String
    let port: Int
    let socket: String?
    let control: String?
    let readsInput: Bool
    let workers: Int
    let addressLimit: Double
    let isBehindProxy: Bool
    let patience: ReportPatience
    let waitingBytes: Int
    let server: HTTPServer.Options

    init(_ arguments: CommandLineArguments, _ configuration: HostConfiguration) throws(HostError) {
        func value<Value>(_ setting: Setting<Value>) -> Value {
            arguments.isGiven(setting) ? arguments[setting] : configuration[setting]
        }
        folder = value(CollectorSyntax.folder)
        let place = value(CollectorSyntax.listen)
        guard let colon = place.lastIndex(of: ":"), let port = UInt16(place[place.index(after: colon)...]) else {
            let option = arguments.isGiven(CollectorSyntax.listen) ? "--listen" : nil
            let problem = "\(place): give an address and a port, such as 127.0.0.1:8095 or [::]:8095"
            throw configuration.unusable("collector.listen", problem, option: option)
        }
        var name = String(place[..<colon])
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        address = name.isEmpty ? "127.0.0.1" : name
        guard HTTPServer.isAddress(address) else {
            let option = arguments.isGiven(CollectorSyntax.listen) ? "--listen" : nil
            let problem = "\(name) is no address: give one of this machine, such as 127.0.0.1:\(port) or [::]:\(port)"
            throw configuration.unusable("collector.listen", problem, option: option)
        }
        self.port = Int(port)
        socket = value(CollectorSyntax.socket)
        control = arguments[CollectorSyntax.control]
        readsInput = arguments[CollectorSyntax.standardInput]
        let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        workers = value(CollectorSyntax.workers) ?? processors
        addressLimit = value(CollectorSyntax.requestsPerSecond)
        isBehindProxy = value(CollectorSyntax.behindProxy)
        waitingBytes = value(CollectorSyntax.journalMebibytes) << 20
        var patience = ReportPatience()
        patience.holdBack = value(CollectorSyntax.settled) ? nil : Self.microseconds(value(CollectorSyntax.holdBack))
        patience.whilePlaying = Self.microseconds(value(CollectorSyntax.silencePlaying))
        patience.whilePaused = Self.microseconds(value(CollectorSyntax.silencePaused))
        patience.afterEnd = Self.microseconds(value(CollectorSyntax.silenceEnded))
        self.patience = patience
        var server = HTTPServer.Options()
        server.threads = UInt32(processors)
        server.bodyBytes = value(CollectorSyntax.bodyBytes)
        server.roomBytes = waitingBytes
        server.tls = try Self.tls(configuration)
        server.connections = Self.connections()
        self.server = server
    }

    private static func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1_000_000) }

    private static func tls(_ configuration: HostConfiguration) throws(HostError) -> HTTPServer.TLS? {
        let (certificate, key) = (CollectorSyntax.certificate, CollectorSyntax.privateKey)
        guard let chain = try text(of: certificate, configuration), let own = try text(of: key, configuration) else {
            if configuration[certificate] != nil { throw configuration.unusable("collector.tlsCertificate", halfGiven) }
            if configuration[key] != nil { throw configuration.unusable("collector.tlsKey", halfGiven) }
            return nil
        }
        return HTTPServer.TLS(key: own, certificate: chain)
    }

    private static let halfGiven = "a certificate needs its key, and a key its certificate"

    private static func text(
        of setting: Setting<String?>,
        _ configuration: HostConfiguration
    ) throws(HostError) -> String? {
        guard let path = configuration[setting] else { return nil }
        do throws(TextFile.Failure) {
            return String(decoding: try TextFile.read(path), as: UTF8.self)
        } catch {
            throw configuration.unusable(setting.declaration.key ?? "", "\(path) cannot be read: \(error.reason)")
        }
    }

    /// As many connections as the system lets this process have.
    private static func connections() -> UInt32 {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 1_048_576)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return UInt32(clamping: max(64, min(Int(limit.rlim_cur) - 256, 60_000)))
    }
}

extension HostConfiguration {
    /// The error of a value that cannot be used, with its place, or with the option that gave it.
    func unusable(_ key: String, _ problem: String, option: String? = nil) -> HostError {
        let place = option.map { ConfigurationPlace.commandLine($0) } ?? places.place(of: key)
        return .configuration([.unusable(place, key: key, problem: problem)])
    }
}
