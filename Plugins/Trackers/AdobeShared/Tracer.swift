package import PluginKit

/// Writes trace lines into the host's log.
///
/// Debug lines are written only while tracing is on; while it is off, their text is never made. Warnings and errors are
/// always written, but while tracing is off each warning comes once a session.
package final class Tracer {
    /// Whether debug lines are written.
    package private(set) var isOn = false
    /// How lines look.
    package var style: TraceStyle

    private let host: TrackerHost
    private let epochMicroseconds: Int64
    private var warned: Set<String> = []

    /// Said when tracing is switched on (Adobe VHL 1.4 and 1.3.1, notes on debugLogging).
    package static let caution =
        "debugLogging is on: tracing costs performance and widens the attack surface; switch it off in production"

    package init(_ style: TraceStyle, host: TrackerHost, epochMicroseconds: Int64) {
        self.style = style
        self.host = host
        self.epochMicroseconds = epochMicroseconds
    }

    /// Switches debug lines on or off; going on is warned about.
    package func set(on: Bool, at time: Int64, type: String) {
        let goesOn = on && !isOn
        isOn = on
        if goesOn { write(.warning, type, "configure", at: time, Self.caution) }
    }

    /// Lets each warning be heard again.
    package func beginSession() { warned.removeAll(keepingCapacity: true) }

    /// Writes a debug line when tracing is on.
    @inline(__always)
    package func debug(_ type: StaticString, _ method: StaticString, at time: Int64, _ text: @autoclosure () -> String)
    {
        guard isOn else { return }
        write(.debug, "\(type)", "\(method)", at: time, text())
    }

    /// Writes a warning; while tracing is off, a text that was there in this session is not repeated.
    package func warn(_ type: StaticString, _ method: String, at time: Int64, _ text: String) {
        guard isOn || warned.insert("\(method) \(text)").inserted else { return }
        write(.warning, "\(type)", method, at: time, text)
    }

    /// Writes an error.
    package func error(_ type: StaticString, _ method: String, at time: Int64, _ text: String) {
        write(.error, "\(type)", method, at: time, text)
    }

    private func write(_ level: TraceLevel, _ type: String, _ method: String, at time: Int64, _ text: String) {
        let milliseconds = (epochMicroseconds + time) / 1000
        host.log(level.hostLevel, style.line(level, atEpoch: milliseconds, type: type, method: method, text))
    }
}

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

/// The three levels of trace lines.
package enum TraceLevel: String, Sendable {
    /// What goes on.
    case debug = "DEBUG"
    /// A call was ignored, or something is not as it should be.
    case warning = "WARN"
    /// The tracker cannot go on with the session.
    case error = "ERROR"

    /// The host's level for it.
    var hostLevel: LogLevel {
        switch self {
        case .debug: .debug
        case .warning: .warning
        case .error: .error
        }
    }
}
