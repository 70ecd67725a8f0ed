import Archive
import Tally
import TallyTesting
import Testing

/// A replay on a thread of its own that a test halts, steps and changes.
final class ControlledReplay {
    let telemetry: Telemetry
    let control = ReplayControl(isPaused: true)
    let plugins: ReplayPlugins
    private let memory = MemoryReporter()
    private let replay: Replay
    private let thread: Thread
    private let outcome = Condition<Result<Void, TelemetryError>?>(nil)

    /// Begins to replay an archive through the witness and other plugins; it waits before the first event.
    init(
        _ archive: String,
        _ plugins: [PluginSelection],
        catalog: PluginCatalog,
        options: ReplayOptions = ReplayOptions(),
        fixed: Bool = false
    ) throws {
        var settings = Telemetry.Options()
        settings.mode = .replay
        settings.fixed = fixed
        telemetry = try Telemetry(
            plugins: [ControlledRun.witness] + plugins,
            catalog: catalog,
            options: settings,
            extraConsumers: [memory]
        )
        let box = Box(Replay(telemetry: telemetry, options: options, control: control))
        replay = box.replay
        self.plugins = replay.acceptChanges(control)
        let outcome = outcome
        thread = Thread(name: "replay") {
            do throws(TelemetryError) {
                try box.replay.replay(path: archive)
                outcome.change { $0 = .success(()) }
            } catch {
                outcome.change { $0 = .failure(error) }
            }
        }
        // Its run is open when it waits before the first event.
        #expect(control.waitForSteps(limit: 60_000) == 0)
    }

    /// Lets so many events pass and waits for them.
    func step(_ count: Int) {
        guard count > 0 else { return }
        control.step(count)
        #expect(control.waitForSteps(limit: 60_000) == 0)
    }

    /// Goes on to the end, and gives what was put out.
    func end() throws -> OutputTranscript {
        control.resume()
        try outcome.wait(until: nil) { $0 }?.get()
        control.close()
        thread.join()
        telemetry.close()
        return memory.contents
    }

    /// How many events stand before each recorded change in an archive.
    static func changes(in archive: String) throws -> [Int] {
        let reader = ArchiveReader(try ArchiveSource(path: archive))
        var places: [Int] = []
        var count = 0
        while let line = try reader.next(damaged: { Issue.record("\($0)") }) {
            guard case .event(let event) = line else { continue }
            if event.type.isControl { places.append(count) }
            count += 1
        }
        return places
    }

    /// A replay that another thread uses from now on.
    private final class Box: @unchecked Sendable {
        let replay: Replay
        init(_ replay: Replay) { self.replay = replay }
    }
}
