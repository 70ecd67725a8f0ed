package import Coordinator
internal import EventModel
package import PluginABI
package import PluginLoading

/// A reporter's instance as its thread drives it, in this process or in one of its own. [reporter]
package protocol DrivenReporter: AnyObject {
    /// What it wants to see, as a mask; changes with its configuration.
    var wanted: UInt32 { get }
    /// The commands that it offers.
    var commands: [PluginCommand] { get }
    /// The process that it has of its own; nil where it has none. Called from any thread.
    var process: Int32? { get }

    /// Enables the instance; returns what went wrong.
    func enable() -> PluginError?
    /// Disables the instance.
    func disable()
    /// Ends the instance, which is used no more.
    func destroy()
    /// Hands the instance a new configuration; returns what went wrong.
    func configure(_ configuration: String) -> PluginError?
    /// Gives the instance a command; the answer is JSON text.
    func run(command: String, arguments: String) -> Result<String, PluginError>
    /// Offers outputs, lent for the call.
    func take(_ outputs: UnsafeBufferPointer<UnsafePointer<tally_output>?>) -> TakeOutcome
    /// Asks to deliver what was taken.
    func flush(_ request: SessionFlush)
    /// Begins its next process when it has one of its own that has ended.
    func goOn()
}

/// What became of outputs that were offered, from the first on.
package struct TakeOutcome {
    /// How many were taken.
    package var taken = 0
    /// How many behind them are lost.
    package var lost = 0
    /// Why they are lost.
    package var error = ""
    /// Whether the reporter is to be told of the lost ones as of those of a full queue.
    package var isToldOfLost = false

    /// Nothing became of them.
    package init() {}
}

/// Makes the instance of a reporter.
package typealias ReporterMaker =
    @Sendable (
        _ entry: PluginCatalog.Entry, _ configuration: String, _ link: ReporterLink
    ) throws(PluginError) -> any DrivenReporter

/// A reporter's instance in this process.
@safe package final class LoadedReporter: DrivenReporter {
    private let instance: PluginInstance
    private var table: tally_reporter
    private let link: ReporterLink

    /// Makes and initialises an instance.
    package init(_ entry: PluginCatalog.Entry, _ configuration: String, _ link: ReporterLink) throws(PluginError) {
        let made = unsafe PluginInstance.make(
            entry,
            instance: link.name,
            host: link.host,
            run: nil,
            configuration: configuration,
            errorText: link.removeError
        )
        instance = try made.get()
        self.link = link
        do throws(PluginError) {
            table = try instance.reporterTable()
        } catch {
            try? instance.destroy()
            throw error
        }
    }

    /// What 0 stands for.
    private static let everything: UInt32 = ~(TALLY_WANTS_RECOVERED | 1 << TALLY_OUTPUT_LINE)

    package var wanted: UInt32 { table.wants == 0 ? Self.everything : table.wants }
    package var commands: [PluginCommand] { instance.commands }
    package var process: Int32? { nil }

    package func enable() -> PluginError? { instance.enable() }

    package func disable() { try? instance.disable() }

    package func destroy() { try? instance.destroy() }

    package func configure(_ configuration: String) -> PluginError? {
        if let error = unsafe instance.configure(configuration) { return error }
        do throws(PluginError) {
            table = try instance.reporterTable()
            return nil
        } catch {
            return error
        }
    }

    package func run(command: String, arguments: String) -> Result<String, PluginError> {
        unsafe instance.run(command: command, arguments: arguments)
    }

    package func take(_ outputs: UnsafeBufferPointer<UnsafePointer<tally_output>?>) -> TakeOutcome {
        var outcome = TakeOutcome()
        let function = unsafe unsafeBitCast(table.take, to: UnsafeRawPointer.self)
        let (start, count) = unsafe (UInt64(register: outputs.baseAddress), UInt64(outputs.count))
        let taken = unsafe (try? instance.call(.take, function, start, count))?.number ?? -1
        outcome.taken = max(0, min(Int(taken), outputs.count))
        outcome.error = link.removeError()
        if taken < 0 { outcome.lost = outputs.count }
        return outcome
    }

    package func flush(_ request: SessionFlush) {
        var runID = request.runID
        runID.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                var arguments = unsafe CallArguments(
                    instance.plugin,
                    request.token,
                    UInt64(register: bytes.baseAddress),
                    UInt64(bytes.count)
                )
                arguments[4] = UInt64(request.session)
                arguments[5] = UInt64(register: request.budget)
                let function = unsafe unsafeBitCast(table.flush, to: UnsafeRawPointer.self)
                _ = unsafe try? instance.call(.flush, function, arguments)
            }
        }
    }

    package func goOn() {}
}
