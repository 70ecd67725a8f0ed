internal import Glibc
internal import Tally
internal import TallyTesting

/// Plays with a reporter that blocks for half a minute and measures what the track calls, a tracker and another reporter
/// notice of it: nothing.
package struct BlockedReporterCampaign: Campaign {
    /// What was noticed, us: the calls themselves, and how long after its call an event came in.
    private struct Figures {
        var calls: (count: Int, most: Int64, longest: Int64)
        var tracker: (count: Int, most: Int64, longest: Int64)
        var reporter: (count: Int, most: Int64, longest: Int64)

        var text: String {
            [("track call", calls), ("tracker", tracker), ("other reporter", reporter)].map { name, figures in
                "\(name): 99 % within \(figures.most) us, longest \(figures.longest) us"
            }.joined(separator: "; ")
        }
    }

    /// Track calls in a second.
    private static let rate = 500
    /// No one may notice more than this, us: a hundredth of what is blocked, and far more than a loaded machine needs.
    private static let limit: Int64 = 300_000

    private let seconds: Int

    /// Blocks for so many seconds.
    package init(seconds: Int = 30) {
        self.seconds = seconds
    }

    package func round(seed: UInt64) async -> String? {
        do {
            let free = try measure(block: 0)
            let blocked = try measure(block: Int64(seconds) * 1_000)
            print("without: \(free.text)")
            print("blocked: \(blocked.text)")
            let expected = seconds * Self.rate
            for (name, figures) in [("tracker", blocked.tracker), ("reporter", blocked.reporter)] {
                if figures.count != expected { return "the \(name) got \(figures.count) of \(expected) events" }
                if figures.most > Self.limit { return "the \(name) was delayed by \(figures.most) us" }
            }
            return blocked.calls.most > Self.limit ? "track calls took \(blocked.calls.most) us" : nil
        } catch {
            return "\(error)"
        }
    }

    private func measure(block: Int64) throws -> Figures {
        let (trackers, reporters, calls) = (Delays(), Delays(), Delays())
        ArrivalProbe.setting.with { setting in
            setting = ArrivalProbe.Setting(trackers: trackers, reporters: reporters, block: block)
        }
        try play(calls)
        return Figures(calls: calls.figures(), tracker: trackers.figures(), reporter: reporters.figures())
    }

    private func play(_ calls: Delays) throws {
        let catalog = PluginCatalog()
        try catalog.add(ArrivalProbe.source.library())
        let telemetry = try Telemetry(
            plugins: [
                PluginSelection("org.tally.test.arrival-tracker", name: "tracker"),
                PluginSelection("org.tally.test.blocking-reporter", name: "blocking"),
                PluginSelection("org.tally.test.arrival-reporter", name: "reporter"),
            ],
            catalog: catalog,
            options: Telemetry.Options()
        )
        let run = try telemetry.startRun()
        run.trackVideoLoad()
        let pause = 1_000_000 / Self.rate
        let started = SystemTime.monotonic()
        for number in 0..<seconds * Self.rate {
            let due = started + Int64(number * pause)
            let ahead = due - SystemTime.monotonic()
            if ahead > 0 { usleep(UInt32(ahead)) }
            let before = SystemTime.monotonic()
            run.trackCustomEvent("stamp") { $0.set("value", before) }
            calls.add(SystemTime.monotonic() - before)
        }
        run.destroy(.drain(limit: 5_000))
        telemetry.close(limit: 5_000)
    }
}
