internal import CLinux
package import Coordinator
internal import Glibc
package import PluginABI
package import PluginLoading
package import Reporting
internal import System
internal import TextEncoding

/// A reporter's instance in a process of its own: what its thread asks is asked there.
///
/// A process that ends is followed by another, which is made and enabled as that one was; the third end within ten
/// minutes is the last.
@safe package final class IsolatedReporter: DrivenReporter {
    /// How processes of reporters are begun.
    package struct Options: Sendable {
        /// The program that they run.
        package var program: String
        /// Bytes of address space that one may have.
        package var memoryBytes = 512 * 1024 * 1024
        /// How long a call may take, ms.
        package var limit: Int64 = 60_000
        /// Told when a reporter is given up whose file is the cause.
        package var onFault: (@Sendable (_ plugin: PluginDescription, _ reason: String) -> Void)?

        /// Processes of a program.
        package init(program: String) { self.program = program }
    }

    /// How many ends within ``period`` are too many.
    private static let mostEnds = 3
    /// Us.
    private static let period: Int64 = 600 * 1_000_000
    /// How long a process may take until it runs at all, ms.
    private static let startLimit: Int64 = 30_000

    package private(set) var wanted: UInt32 = 0
    package private(set) var commands: [PluginCommand] = []
    private let entry: PluginCatalog.Entry
    private let link: ReporterLink
    private let options: Options
    private var configuration: String
    private var allowance: ProcessAllowance
    private var child: ReporterChild?
    private let processID = Lock<Int32?>(nil)
    private var isEnabled = false
    /// When processes ended by themselves, us.
    private var ends: [Int64] = []
    /// Why the last one did.
    private var lastEnd = (reason: "", isItsFault: false, hasHeard: true)
    private var isGivenUp = false

    /// Begins a process that makes and initialises an instance.
    package init(
        _ entry: PluginCatalog.Entry,
        _ configuration: String,
        _ link: ReporterLink,
        _ options: Options
    ) throws(PluginError) {
        self.entry = entry
        self.link = link
        self.options = options
        self.configuration = configuration
        allowance = Self.allowance(entry, configuration, options)
        if let error = begin(goesOn: false) { throw error }
    }

    deinit { _ = child?.end(isEnding: false) }

    private static func allowance(
        _ entry: PluginCatalog.Entry,
        _ configuration: String,
        _ options: Options
    ) -> ProcessAllowance {
        let value = (try? JSONParser().parse(configuration)) ?? .null
        return ProcessAllowance(
            entry.description.machineUse,
            configuration: value,
            memoryBytes: options.memoryBytes
        )
    }

    package var process: Int32? { processID.with { $0 } }

    // MARK: - Calls

    package func enable() -> PluginError? {
        if isGivenUp || child == nil {
            // Somebody has asked for it: it gets another chance.
            (isGivenUp, ends) = (false, [])
            if let error = begin(goesOn: true) { return error }
        }
        if let error = refusal(of: ask(ReporterCall(.enable), .enable), .enable) { return error }
        isEnabled = true
        link.fail("")
        return nil
    }

    package func disable() {
        isEnabled = false
        _ = ask(ReporterCall(.disable), .disable, signsCount: true)
    }

    package func destroy() {
        _ = ask(ReporterCall(.destroy), .destroy)
        _ = child?.end(isEnding: true)
        forget()
    }

    package func configure(_ configuration: String) -> PluginError? {
        let next = Self.allowance(entry, configuration, options)
        guard allowance.hasPaths(of: next) else {
            return failure(.configure, .configuration, "its process can use no other paths than those it began with")
        }
        guard let error = refusal(of: ask(.configure, [configuration], .configure), .configure) else {
            self.configuration = configuration
            return nil
        }
        goOn()
        return error
    }

    package func run(command: String, arguments: String) -> Result<String, PluginError> {
        guard commands.contains(where: { $0.name == command }) else {
            let known = commands.map(\.name)
            return .failure(.noCommand(instance: link.name, command: command, known: known))
        }
        let answer = ask(.command, [command, arguments], .command)
        if let error = refusal(of: answer, .command) {
            goOn()
            return .failure(error)
        }
        return .success(answer?.text ?? "")
    }

    package func take(_ outputs: UnsafeBufferPointer<UnsafePointer<tally_output>?>) -> TakeOutcome {
        var outcome = TakeOutcome()
        goOn()
        while outcome.taken < outputs.count {
            let rest = unsafe UnsafeBufferPointer(rebasing: outputs[outcome.taken...])
            guard let child else {
                (outcome.lost, outcome.error, outcome.isToldOfLost) = (rest.count, lastEnd.reason, true)
                return outcome
            }
            let parcel = unsafe OutputParcel(rest, in: child.memory)
            guard parcel.count > 0 else {
                (outcome.lost, outcome.error) = (1, "an output is larger than what its process can be given")
                return outcome
            }
            var call = ReporterCall(.take)
            (call.list, call.count, call.bytes) = (parcel.list, UInt64(parcel.count), UInt64(parcel.used))
            guard let answer = ask(call, .take) else {
                let end = lastEnd
                goOn()
                // What was never heard is given to the next one.
                if !end.hasHeard { continue }
                // What it did with them before it ended nobody knows.
                (outcome.lost, outcome.error, outcome.isToldOfLost) = (parcel.count, end.reason, true)
                return outcome
            }
            guard answer.refusal == nil else {
                (outcome.lost, outcome.error) = (parcel.count, answer.text)
                return outcome
            }
            let taken = max(0, min(answer.taken, parcel.count))
            outcome.taken += taken
            if taken < parcel.count { break }
        }
        return outcome
    }

    package func flush(_ request: SessionFlush) {
        var call = ReporterCall(.flush)
        (call.token, call.session, call.budget) = (request.token, request.session, request.budget)
        if ask(call, .flush, texts: [request.runID]) == nil {
            link.answerAsked()
            goOn()
        }
    }

    // MARK: - Asking

    private func ask(_ kind: ReporterCall.Kind, _ texts: [String], _ name: PluginCall) -> ReporterChild.Answer? {
        ask(ReporterCall(kind), name, texts: texts)
    }

    /// Asks the process; nil when there is none, or it has ended without an answer.
    private func ask(
        _ call: ReporterCall,
        _ name: PluginCall,
        texts: [String] = [],
        signsCount: Bool = false
    ) -> ReporterChild.Answer? {
        guard let child else { return nil }
        var call = call
        if !texts.isEmpty {
            guard let bytes = child.put(texts) else {
                let text = "it is larger than \(OutputParcel.bytes >> 20) MiB"
                return ReporterChild.Answer(refusal: .other, text: text, taken: 0, wanted: wanted)
            }
            call.bytes = bytes
        }
        child.ask(call)
        return answer(of: child, name, limit: options.limit, signsCount)
    }

    private func answer(
        of child: ReporterChild,
        _ name: PluginCall,
        limit: Int64,
        _ signsCount: Bool = false
    ) -> ReporterChild.Answer? {
        switch child.answer(within: limit.multipliedReportingOverflow(by: 1000).partialValue, signsCount: signsCount) {
        case .answer(let answer):
            wanted = answer.wanted
            return answer
        case .over(let end): ended(child, end, in: name)
        case .late:
            _ = child.end(isEnding: false)
            ended("its process did not come back from \(name.name) within \(limit) ms", isItsFault: true)
        }
        return nil
    }

    private func refusal(of answer: ReporterChild.Answer?, _ call: PluginCall) -> PluginError? {
        guard let answer else { return .refusedElsewhere(instance: link.name, reason: lastEnd.reason) }
        return answer.refusal.map { failure(call, $0, answer.text) }
    }

    private func failure(_ call: PluginCall, _ kind: Refusal, _ reason: String) -> PluginError {
        switch kind {
        case .configuration: .failed(instance: link.name, call: call.name, status: TALLY_ERR_CONFIG, reason: reason)
        case .device: .failed(instance: link.name, call: call.name, status: TALLY_ERR_IO, reason: reason)
        case .other, .plugin: .refusedElsewhere(instance: link.name, reason: reason)
        }
    }

    // MARK: - Processes

    /// Begins a process; what went wrong.
    private func begin(goesOn: Bool) -> PluginError? {
        let name = link.name
        guard let library = entry.library.copyDescriptor else {
            return .refusedElsewhere(instance: name, reason: "it is linked into the program: remove its isolation")
        }
        let orders = ReporterOrders(
            instance: name,
            plugin: entry.description.id,
            path: entry.library.path,
            configuration: configuration,
            goesOn: goesOn,
            allowance: allowance,
            player: Int(getpid())
        )
        let made: ReporterChild
        do throws(SystemFailure) {
            made = try ReporterChild(
                orders,
                program: options.program,
                library: library,
                variables: allowance.variables(for: (try? JSONParser().parse(configuration)) ?? .null),
                link: link
            )
        } catch {
            let reason = "\(options.program) cannot be started (\(error.description)); it belongs beside the program "
            return .refusedElsewhere(instance: name, reason: reason + "that plays")
        }
        child = made
        processID.with { $0 = made.id }
        let answer = answer(of: made, .initialize, limit: max(options.limit, Self.startLimit))
        guard let error = refusal(of: answer, .initialize) else {
            commands = PluginCommand.list(answer?.text ?? "")
            return nil
        }
        if child != nil {
            _ = made.end(isEnding: true)
            forget()
        }
        return error
    }

    private func forget() {
        child = nil
        processID.with { $0 = nil }
    }

    /// A process has closed its channel.
    private func ended(_ child: ReporterChild, _ end: ReporterChild.End, in call: PluginCall?) {
        guard end.hasSense else {
            _ = child.end(isEnding: false)
            return ended("its process says what makes no sense", isItsFault: true)
        }
        let status = child.end(isEnding: true)
        // Somebody else's signals say nothing of its file.
        let isItsFault = ![SIGKILL, SIGTERM].contains(status & 0x7F)
        ended(Self.reason(status, end.hasHeard ? call : nil), isItsFault: isItsFault, end.hasHeard)
    }

    /// A process has ended by itself, or had to be.
    private func ended(_ reason: String, isItsFault: Bool, _ hasHeard: Bool = true) {
        let now = SystemTime.monotonic()
        ends = ends.filter { now - $0 < Self.period } + [now]
        lastEnd = (reason, isItsFault, hasHeard)
        forget()
        link.answerAsked()
        link.log.write(link.name, TALLY_LOG_WARN, "\(entry.library.path): \(reason)")
    }

    package func goOn() {
        if let child, let end = child.channelEnd { ended(child, end, in: nil) }
        while child == nil, isEnabled, !isGivenUp {
            guard ends.count < Self.mostEnds else {
                return giveUp("\(lastEnd.reason), for the third time in ten minutes", lastEnd.isItsFault)
            }
            let before = ends.count
            let error = begin(goesOn: true) ?? refusal(of: ask(ReporterCall(.enable), .enable), .enable)
            if let error, ends.count == before {
                _ = child?.end(isEnding: false)
                forget()
                return giveUp("its next process refuses: \(error.reason)", false)
            }
            if error == nil {
                let text = "\(entry.library.path): another process goes on"
                link.log.write(link.name, TALLY_LOG_WARN, text)
            }
        }
    }

    private func giveUp(_ reason: String, _ isItsFault: Bool) {
        (isGivenUp, isEnabled) = (true, false)
        lastEnd.reason = reason
        let text = "\(entry.library.path): \(reason): all goes on without it, until \"plugin enable \(link.name)\""
        link.log.write(link.name, TALLY_LOG_ERROR, text)
        link.fail(reason)
        if isItsFault { options.onFault?(entry.description, reason) }
    }

    private static func reason(_ status: Int32, _ call: PluginCall?) -> String {
        let place = call.map { " in \($0.name)" } ?? ""
        let signal = status & 0x7F
        guard signal != 0 else { return "its process ended\(place) with code \(status >> 8 & 0xFF)" }
        let known = [SIGKILL: "SIGKILL", SIGTERM: "SIGTERM"]
        let name = unsafe tally_signal_name(signal).map { unsafe String(cString: $0) }
        guard let name else { return "its process was ended\(place) by \(known[signal] ?? "signal \(signal)")" }
        return "its process crashed\(place) (\(name))"
    }
}
