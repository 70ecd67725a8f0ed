import Coordinator
import PluginABI
import PluginKit
import PluginLoading
import Reporting
import System

/// A reporter that does what a test says; the configuration names the test's script.
final class ScriptedReporter: Reporter {
    static let descriptor = ReporterDescriptor(
        id: "org.tally.test.reporter",
        name: "Scripted",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#
    )

    /// One output that it was offered.
    struct Seen: Sendable, Equatable {
        let kind: OutputKind
        let ordinal: UInt64
        let lost: UInt64
        let instance: String
    }

    /// What a test wants.
    struct Script: Sendable {
        var wants = OutputKinds.all
        var enable: @Sendable () throws(ReporterFault) -> Void = {}
        var disable: @Sendable () -> Void = {}
        var take: @Sendable ([Seen]) throws(ReporterFault) -> Int = { $0.count }
        var flush: @Sendable (ReporterHost, FlushRequest) -> Void = { host, request in
            host.answer(request, delivered: 1, kept: 0, dropped: 0)
        }
    }

    private static let scripts = Lock<[Int64: Script]>([:])
    private static let library = PluginLibrary(reporters: [ScriptedReporter.self])

    /// Makes a reporter with a script on a thread of its own.
    static func make(
        _ script: Script,
        policy: QueuePolicy = .dropOldest,
        log: PluginLog = .silent
    ) throws(PluginError) -> ReporterInstance {
        let number = scripts.with { scripts in
            let number = Int64(scripts.count + 1)
            scripts[number] = script
            return number
        }
        let catalog = unsafe try Fixture.catalog(entry: library.entry)
        return try ReporterInstance(
            name: "scripted",
            entry: catalog.find(descriptor.id),
            configuration: #"{"script":\#(number)}"#,
            policy: policy,
            log: log
        )
    }

    private var script = Script()
    private let host: ReporterHost

    init(host: ReporterHost) {
        self.host = host
    }

    func configure(_ configuration: JSONValue) {
        guard case .int(let number)? = configuration["script"] else { return }
        script = ScriptedReporter.scripts.with { $0[number] } ?? Script()
    }

    var wants: OutputKinds { script.wants }

    func enable() throws(ReporterFault) {
        try script.enable()
    }

    func disable() {
        script.disable()
    }

    func deliver(_ outputs: OutputBatch) throws(ReporterFault) -> Int {
        try script.take(
            outputs.compactMap { output in
                let origin = output.origin
                return output.kind.map { kind in
                    Seen(
                        kind: kind,
                        ordinal: origin.ordinal,
                        lost: output.lostCount,
                        instance: origin.instance.string
                    )
                }
            }
        )
    }

    func flush(_ request: FlushRequest) {
        script.flush(host, request)
    }
}
