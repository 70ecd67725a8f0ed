internal import CollectedRuns
internal import Glibc
internal import HostSupport
internal import PlayerReports
internal import System
internal import Tally

/// Makes runs of access logs, by the time that the logs have.
struct ImportCommand {
    private let arguments: CommandLineArguments
    private let log: LogPrinter

    /// What came of the lines.
    private struct Counts {
        var lines = 0
        var requests = 0
        var unreadable = 0
        var firstUnreadable: String?
    }

    init() {
        arguments = CollectorSyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        log = LogPrinter(program: ImportSyntax.syntax.program, arguments: arguments)
    }

    func run() -> ExitCode {
        let tenant = arguments[ImportSyntax.tenant]
        guard Tenant.isName(tenant) else {
            log.show(.error, "--tenant \(tenant): a name has up to 64 letters, digits, dots, dashes and underscores")
            return .usage
        }
        let folder = arguments[ImportSyntax.folder]
        do {
            let place = try CollectionFolder(folder)
            defer { withExtendedLifetime(place) {} }
            let telemetry = try Telemetry()
            let log = log
            let shelf = try ArchiveShelf(ArchiveShelf.Options(folder: folder + "/archives")) { log.show(.error, $0) }
            var options = RunOptions(folder: folder + "/imported")
            options.followsReports = true
            options.interpretation = { _ in CMCDRequestRun() }
            let pool = try RunPool(telemetry, options, shelf: shelf)
            var counts = Counts()
            var entry: UInt64 = 0
            for path in arguments.operands {
                guard read(path, tenant, pool, &counts, &entry) else { return .noInput }
            }
            // All that is open is over: nothing follows in these logs.
            pool.endAll()
            shelf.drain()
            let done = shelf.statistics
            pool.close()
            telemetry.close(limit: 1_000)
            log.show(
                .info,
                "found \(ReadableNumber.counted(counts.requests, "request")) with CMCD in "
                    + "\(ReadableNumber.counted(counts.lines, "line")); added "
                    + "\(ReadableNumber.counted(done.runs, "run")) to \(folder)/archives/\(tenant)"
            )
            guard counts.unreadable == 0 else {
                log.show(
                    .warning,
                    "\(ReadableNumber.counted(counts.unreadable, "line")) cannot be read, the first is "
                        + "\(counts.firstUnreadable ?? ""): is --format right?"
                )
                return .badData
            }
            return .success
        } catch {
            log.show(.error, "\(error)")
            return .cannotCreate
        }
    }

    private func read(
        _ path: String,
        _ tenant: String,
        _ pool: RunPool,
        _ counts: inout Counts,
        _ entry: inout UInt64
    ) -> Bool {
        guard let file = unsafe fopen(path == "-" ? "/dev/stdin" : path, "r") else {
            log.show(.error, "\(path) cannot be read: \(SystemError.text(errno))")
            return false
        }
        defer { unsafe fclose(file) }
        var information = stat()
        guard unsafe fstat(fileno(file), &information) == 0, information.st_mode & S_IFMT != S_IFDIR else {
            log.show(.error, "\(path) is a folder: name the logs in it")
            return false
        }
        var reader = self.reader
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        var number = 0
        defer { unsafe free(line) }
        while true {
            let count = unsafe getline(&line, &capacity, file)
            guard count > 0, let start = unsafe line else { return true }
            number += 1
            counts.lines += 1
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
            let text = unsafe String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
            switch reader.read(text) {
            case .none: continue
            case .unreadable:
                counts.unreadable += 1
                counts.firstUnreadable = counts.firstUnreadable ?? "\(path):\(number)"
            case .request(let request):
                guard let session = Self.session(of: request) else { continue }
                counts.requests += 1
                entry += 1
                let key = RunKey(tenant: tenant, form: .requests, name: session)
                let report = Array((request.text + "\n").utf8)
                let reports = ReceivedReports(key, received: request.end, text: report)
                pool.backlog.add(reports)
                pool.accept(reports, entry: entry)
                while !pool.backlog.hasRoom(for: tenant) { usleep(1_000) }
            }
        }
    }

    private var reader: AccessLog {
        let moment: LoggedRequest.Moment =
            switch arguments[ImportSyntax.moment] {
            case .start: .start
            case .end: .end
            case .unknown: .unknown
            }
        return switch arguments[ImportSyntax.format] {
        case .nginx: arguments[ImportSyntax.template].map { .nginx($0) } ?? .nginx()
        case .cloudfront: .cloudFront()
        case .w3c: .w3c(moment: moment)
        case .tsv: .tabSeparated(moment: moment)
        case .json: .dataStream()
        }
    }

    /// The session that a request names; nil without CMCD.
    private static func session(of request: LoggedRequest) -> String? {
        let headers = request.headers.map { (name: $0.name, value: $0.value) }
        guard let found = try? CMCDRequest(target: request.target, headers: headers),
            let record = try? CMCDRecord(found.dictionary, as: .request)
        else { return nil }
        return record.string(.sid).flatMap { $0.isEmpty ? nil : $0 }
    }
}
