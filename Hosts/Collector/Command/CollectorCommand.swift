internal import HostSupport
internal import Tally

/// The program: from its command line to its exit code.
struct CollectorCommand {
    private let arguments: CommandLineArguments
    private let log: LogPrinter

    init() {
        arguments = CollectorSyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        log = LogPrinter(program: CollectorSyntax.syntax.program, arguments: arguments)
        SignalWatch.block()
    }

    /// Does what was asked.
    func run() -> ExitCode {
        do throws(HostError) {
            let setup = try HostSetup(
                arguments,
                section: .collector,
                settings: CollectorSyntax.settings,
                searches: arguments[HostSettings.listPlugins] || arguments[CollectorSyntax.control] != nil,
                admission: .ofHost(CollectorSyntax.syntax.program) { log.show(.warning, $0) }
            )
            if arguments[HostSettings.explain] {
                if let problem = try setup.rehearseApart(log) { return problem }
                let explanation = EffectiveConfiguration(
                    setup,
                    options: arguments.explained,
                    canEnable: arguments[CollectorSyntax.control] != nil
                )
                let text =
                    arguments[HostSettings.json]
                    ? explanation.json : explanation.text(on: StandardStream.output.terminal)
                CollectorSyntax.syntax.end(showing: text)
            }
            if arguments[HostSettings.listPlugins] {
                let listing = setup.listing
                let text =
                    arguments[HostSettings.json] ? listing.json : listing.text(on: StandardStream.output.terminal)
                CollectorSyntax.syntax.end(showing: text)
            }
            for warning in setup.warnings { log.show(.warning, warning) }
            let tenants = Tenants(setup.configuration[CollectorSyntax.tenants])
            let problems = tenants.problems(in: setup.configuration)
            guard problems.isEmpty else { throw .configuration(problems) }
            let collector = try Collector(arguments, setup, tenants, log)
            guard arguments[CollectorSyntax.check] else { return try collector.run() }
            try setup.check()
            if let problem = try setup.rehearseApart(log) { return problem }
            log.show(.info, "the configuration is good: \(ReadableNumber.counted(tenants.all.count, "tenant"))")
            return .success
        } catch {
            return log.report(error)
        }
    }
}
