internal import TextEncoding

/// What a column of an access log says.
package enum LogColumn: Equatable, Sendable {
    /// Time in s since 1970, with a fraction or without.
    case seconds
    /// Time in ms since 1970.
    case milliseconds
    /// Date and time, as `2026-09-21T10:00:00.250Z`; what stands alone is in UTC.
    case dateAndTime
    /// The date alone, as `2026-09-21`.
    case date
    /// The time of day alone, as `10:00:00`, in UTC.
    case timeOfDay
    /// Date and time, as `21/Sep/2026:10:00:00 +0200`.
    case commonTime
    /// Method, target and version together.
    case requestLine
    /// The path, or the whole URL.
    case target
    /// The query without its question mark.
    case query
    case host
    case status
    case bytes
    /// How long it took, s.
    case durationInSeconds
    /// How long it took, ms.
    case duration
    /// How long it took to the first byte, s.
    case firstByteInSeconds
    /// How long it took to the first byte, ms.
    case firstByte
    /// One header of CMCD, by its name.
    case header(String)
    /// All that CMCD says in one, with bytes beyond ASCII's letters and signs in percent-hex.
    case escapedPayload
}

/// The values of one line's columns, while a request is made of them.
struct LogLine {
    private var date: Int64?
    private var timeOfDay: Int64?
    private var time: Int64?
    private var target: String?
    private var query: String?
    private var rest = LoggedRequest(time: 0, moment: .unknown, target: "")

    /// Takes a column's value; `-` and nothing say nothing.
    mutating func take(_ column: LogColumn, _ value: String) {
        guard !value.isEmpty, value != "-" else { return }
        switch column {
        case .seconds: time = Self.scaled(value, by: 1_000_000)
        case .milliseconds: time = Self.scaled(value, by: 1000)
        case .date: date = LogTime.date(value)
        case .timeOfDay: timeOfDay = LogTime.timeOfDay(value)
        case .dateAndTime: time = LogTime.dateAndTime(value)
        case .commonTime: time = LogTime.common(value)
        case .requestLine:
            let words = value.split(separator: " ")
            if words.count >= 2 { target = String(words[1]) }
        case .target: target = value
        case .query: query = value
        case .host: rest.host = value
        case .status: rest.status = Int64(value)
        case .bytes: rest.bytes = Int64(value)
        case .durationInSeconds: rest.duration = Self.scaled(value, by: 1000)
        case .duration: rest.duration = Self.scaled(value, by: 1)
        case .firstByteInSeconds: rest.firstByte = Self.scaled(value, by: 1000)
        case .firstByte: rest.firstByte = Self.scaled(value, by: 1)
        case .header(let name): rest.headers.append(LoggedRequest.Header(name, value))
        case .escapedPayload:
            // One column for all four headers: which of them it is does not matter.
            rest.headers.append(LoggedRequest.Header("CMCD-Session", PercentEncoding.decode(value) ?? value))
        }
    }

    /// The request; nil when there is no time or target.
    func request(_ moment: LoggedRequest.Moment) -> LoggedRequest? {
        let both = date.flatMap { day in timeOfDay.map { day + $0 } }
        guard let time = time ?? both, LoggedRequest.times.contains(time), let target else { return nil }
        var request = rest
        request.time = time
        request.moment = moment
        request.target = query.map { "\(target)?\($0)" } ?? target
        return request
    }

    /// A number with a fraction, times a power of ten, cut off; nil when it is none or too large.
    private static func scaled(_ text: String, by scale: Int64) -> Int64? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = Int64(parts[0]), whole >= 0, whole < 1_000_000_000_000_000 / scale * 100 else { return nil }
        var result = whole * scale
        var place = scale
        for digit in (parts.count > 1 ? parts[1] : "").utf8 {
            guard digit >= 0x30, digit <= 0x39 else { return nil }
            place /= 10
            result += Int64(digit - 0x30) * place
        }
        return result
    }
}
