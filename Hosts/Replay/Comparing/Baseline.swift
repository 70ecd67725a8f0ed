internal import Glibc
internal import HostSupport
internal import System
internal import TextEncoding

/// An output of an earlier replay that the present one has to be like.
///
/// A reporter `jsonlines` of its own writes what is compared, to a file that is gone at the end.
final class Baseline {
    /// The reporter that writes the present output, in addition to those that are configured.
    let reporter: PluginConfiguration

    private let path: String
    private let request: ComparisonRequest
    private let output: String

    /// Makes the file for the present output in `TMPDIR`, or in `/tmp`.
    init(_ path: String, _ request: ComparisonRequest) throws(HostError) {
        self.path = path
        self.request = request
        let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(folder)/tally-replay-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw .cannotCreate(path: folder, reason: SystemError.text(errno)) }
        close(descriptor)
        output = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        reporter = PluginConfiguration(
            name: "baseline",
            pluginID: "org.tally.reporter.jsonlines",
            config: ["path": .string(output)]
        )
    }

    deinit { unsafe unlink(output) }

    /// Why a file cannot be read as a baseline; nil when it can.
    static func problem(with path: String) -> String? {
        guard unsafe access(PathName.bytes(path), R_OK) != 0 else { return nil }
        return "\(path): cannot read the baseline: \(SystemError.text(errno))"
    }

    /// Compares what was written with the earlier output.
    func compare(log: LogPrinter) -> ExitCode {
        request.compare(path, output, rightName: "this replay", log: log)
    }
}
