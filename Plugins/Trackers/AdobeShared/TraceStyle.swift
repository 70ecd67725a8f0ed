internal import PluginKit

/// How a version of the library writes a trace line (Adobe VHL 1.4 and 1.3.1, "Troubleshoot the Integration").
package enum TraceStyle: Sendable {
    /// `[DEBUG] [2014-10-29 at 18:14:31][Class] #method > text`
    case leveled
    /// `ADBMobile Debug: [2014-02-14 at 15:34:43][Class] #method() > text`; the level is in no line.
    case prefixed

    /// The line; the time is GMT, and no zone is named.
    ///
    /// The time is in ms since 1970; `type` is the fully qualified name of what says it.
    package func line(
        _ level: TraceLevel,
        atEpoch milliseconds: Int64,
        type: String,
        method: String,
        _ text: String
    ) -> String {
        let date = Self.date(milliseconds)
        return switch self {
        case .leveled: "[\(level.rawValue)] [\(date)][\(type)] #\(method) > \(text)"
        case .prefixed: "ADBMobile Debug: [\(date)][\(type)] #\(method)() > \(text)"
        }
    }

    private static func date(_ milliseconds: Int64) -> String {
        let date = CivilDate(microsecondsSinceEpoch: milliseconds * 1000)
        let buffer = ByteBuffer(capacity: 32)
        buffer.append(paddedDecimal: Int64(date.year), width: 4)
        for part in [date.month, date.day] {
            buffer.append("-")
            buffer.append(paddedDecimal: Int64(part), width: 2)
        }
        buffer.append(" at ")
        for (index, part) in [date.hour, date.minute, date.second].enumerated() {
            if index > 0 { buffer.append(":") }
            buffer.append(paddedDecimal: Int64(part), width: 2)
        }
        return buffer.string
    }
}
