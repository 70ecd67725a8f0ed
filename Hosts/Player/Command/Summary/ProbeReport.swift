internal import HostSupport
internal import PlaybackEngine

/// The outcome of a run for programs that read test results: JUnit's XML.
struct ProbeReport {
    let source: String
    let seconds: Double
    let cases: [JUnitDocument.Case]

    /// The outcome of runs, each with the name that its tests begin with, if it is not the only one.
    init(source: String, seconds: Double, _ runs: [(name: String?, summary: PlaybackSummary)]) {
        self.source = source
        self.seconds = seconds
        cases = runs.flatMap { name, summary in
            let prefix = name.map { $0 + ": " } ?? ""
            let outcomes = [("playback", summary.error?.description)] + summary.outcomes.map { ($0.text, $0.failure) }
            return outcomes.map { JUnitDocument.Case("tally-player", prefix + $0.0, failure: $0.1) }
        }
    }

    /// Writes the document, if it is wanted; what went wrong with that.
    func problem(writingTo file: SummaryFile?) -> String? {
        guard let file else { return nil }
        do throws(HostError) {
            try file.write(xml)
            return nil
        } catch {
            return error.messages.joined(separator: "; ")
        }
    }

    var xml: String { JUnitDocument(source, seconds: seconds, cases).xml }
}
