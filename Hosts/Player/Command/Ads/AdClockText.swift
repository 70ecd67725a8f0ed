internal import Glibc
internal import TextEncoding

/// Times as the macros of ad documents want them (VAST 4.2, 6).
enum AdClockText {
    /// A place in media, such as `00:01:02.345`.
    static func text(milliseconds: Int64) -> String {
        let whole = max(0, milliseconds)
        let (hours, minutes, seconds) = (whole / 3_600_000, whole / 60_000 % 60, whole / 1000 % 60)
        return digits(hours, 2) + ":" + digits(minutes, 2) + ":" + digits(seconds, 2) + "." + digits(whole % 1000, 3)
    }

    /// The present time in UTC, such as `2026-01-17T08:15:07.000Z`.
    static func now() -> String {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let date = CivilDate(
            microsecondsSinceEpoch: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        )
        let buffer = ByteBuffer(capacity: 32)
        date.appendISO8601(to: buffer, fractionDigits: 3)
        return buffer.string
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
