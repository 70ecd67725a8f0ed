import Tally
import TallyTesting

/// A run of the tracker on a virtual clock, and what it said.
struct Playback {
    /// An error that the tracker reported.
    struct Problem: Equatable {
        let code: String
        let message: String
        let details: String
    }

    let run: RecordedRun

    init(
        _ configuration: JSONValue = Heartbeat.configuration,
        log: Log = Log(),
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws {
        run = try log.run(configuration, body)
    }

    /// The types of the entries that went out, in order.
    var entries: [String] {
        run.live.lines.filter { $0.kind != "beacon" && $0.kind != "tracker_error" }.map(\.kind)
    }

    /// The addresses of the requests, in order.
    var addresses: [String] {
        run.live.lines.filter { $0.kind == "beacon" }.map { line in
            let parts = line.text.split(separator: " ")
            return parts.firstIndex(of: "GET").map { String(parts[$0 + 1]) } ?? ""
        }
    }

    /// The errors that were reported, in order.
    var errors: [Problem] {
        run.live.lines.filter { $0.kind == "tracker_error" }.map { line in
            Problem(
                code: Self.text(line.attributes["code"]),
                message: Self.text(line.attributes["message"]),
                details: Self.text(line.attributes["details"])
            )
        }
    }

    private static func text(_ value: PlainValue?) -> String {
        guard case .string(let text)? = value else { return "" }
        return text
    }
}
