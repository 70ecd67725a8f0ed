internal import TextEncoding

/// A collector's open runs, for people; made from the form that programs get.
enum OpenRunsText {
    /// A table of the runs, and below it how many more are open.
    static func table(_ runs: [JSONValue], open: Int64, on terminal: Terminal) -> String {
        guard open > 0 else { return "No run is open.\n" }
        var lines: [String] = []
        if !runs.isEmpty {
            lines = TextTable.aligned(
                [["BEGUN", "HEARD", "STATE", "SESSION", "EVENTS", "FORM", "TENANT", "RUN"]] + runs.map(row)
            )
            lines[0] = terminal.styled(lines[0], .bold)
        }
        let rest = open - Int64(runs.count)
        if rest > 0 {
            let count = ReadableNumber.counted(Int(rest), "run")
            lines.append("\(count) more: nothing came of them since the start, or they are too many to be shown")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ run: JSONValue) -> [String] {
        func number(_ key: String) -> Int64 { run[key]?.int ?? 0 }
        func text(_ key: String) -> String { run[key]?.string ?? "-" }
        let state = run["playing"]?.bool == true ? "playing" : number("session") > 0 ? "paused" : "-"
        let session = number("session")
        return [
            time(number("begun_us")), time(number("heard_us")), state, session > 0 ? "\(session)" : "-",
            "\(number("events"))", text("form"), text("tenant"), text("run"),
        ]
    }

    private static func time(_ microseconds: Int64) -> String {
        let buffer = ByteBuffer(capacity: 32)
        CivilDate(microsecondsSinceEpoch: microseconds).appendISO8601(to: buffer, fractionDigits: 0)
        return buffer.string
    }
}
