internal import Glibc

/// Wall clock times as people write them.
enum WallClockText {
    /// Microseconds since 1970 of `2026-05-01`, `2026-05-01T12:00:00` or with `Z` behind it, always UTC, or of seconds
    /// since 1970; nil for anything else.
    static func microseconds(_ text: String) -> Int64? {
        if let seconds = Double(text), abs(seconds) < 1e12 { return Int64(seconds * 1_000_000) }
        let words = (text.hasSuffix("Z") ? text.dropLast() : text[...]).split(
            separator: "T",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let date = words.first.flatMap({ numbers($0, "-") }), date.count == 3, (1...12).contains(date[1]),
            (1...31).contains(date[2])
        else { return nil }
        var clock: [Int32] = [0, 0, 0]
        if words.count == 2 {
            guard let read = numbers(words[1], ":"), (2...3).contains(read.count) else { return nil }
            clock = read + (read.count == 2 ? [0] : [])
        }
        guard clock[0] < 24, clock[1] < 60, clock[2] < 61 else { return nil }
        var time = unsafe tm()
        unsafe time.tm_year = date[0] - 1900
        unsafe time.tm_mon = date[1] - 1
        unsafe time.tm_mday = date[2]
        unsafe time.tm_hour = clock[0]
        unsafe time.tm_min = clock[1]
        unsafe time.tm_sec = clock[2]
        let seconds = unsafe timegm(&time)
        // A day that the month does not have has become one of the next.
        guard unsafe time.tm_mday == date[2] || clock[2] == 60 else { return nil }
        return Int64(seconds) * 1_000_000
    }

    /// Whole numbers of digits alone, nil when one is anything else.
    private static func numbers(_ text: Substring, _ separator: Character) -> [Int32]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { $0.isASCII && $0.isNumber } && part.count <= 4 ? Int32(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }
}
