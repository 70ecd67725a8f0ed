/// Dates as playlists and manifests write them (ISO 8601, RFC 8216, 4.3.2.6).
package enum ProgramDate {
    /// Microseconds since 1970 of a text such as `2026-01-17T12:00:00.040+01:00`, UTC without a zone; nil for others.
    package static func microseconds(_ text: some StringProtocol) -> Int64? {
        var rest = Array(text.utf8.prefix(64))[...]
        guard let year = number(&rest, digits: 4), skip(&rest, "-"), let month = number(&rest, digits: 2),
            skip(&rest, "-"), let day = number(&rest, digits: 2), skip(&rest, "T") || skip(&rest, "t"),
            let hour = number(&rest, digits: 2), skip(&rest, ":"), let minute = number(&rest, digits: 2),
            (1970...9998).contains(year), (1...12).contains(month), (1...31).contains(day), hour <= 24, minute < 60
        else { return nil }
        var second: Int64 = 0
        var fraction: Int64 = 0
        if skip(&rest, ":") {
            guard let seconds = number(&rest, digits: 2), seconds <= 60 else { return nil }
            second = seconds
            if skip(&rest, ".") || skip(&rest, ",") {
                let digits = rest.prefix(while: PlaylistNumber.isDigit)
                guard !digits.isEmpty else { return nil }
                fraction = sixDigits(digits)
                rest = rest[digits.endIndex...]
            }
        }
        guard let offset = zoneMinutes(&rest), rest.isEmpty else { return nil }
        let minutes = (days(year, month, day) * 24 + hour) * 60 + minute - offset
        return (minutes * 60 + second) * 1_000_000 + fraction
    }

    private static func zoneMinutes(_ rest: inout ArraySlice<UInt8>) -> Int64? {
        if rest.isEmpty || skip(&rest, "Z") || skip(&rest, "z") { return 0 }
        let sign: Int64 = skip(&rest, "-") ? -1 : 1
        guard sign < 0 || skip(&rest, "+"), let hours = number(&rest, digits: 2), hours < 24 else { return nil }
        if rest.isEmpty { return sign * hours * 60 }
        _ = skip(&rest, ":")
        guard let minutes = number(&rest, digits: 2), minutes < 60 else { return nil }
        return sign * (hours * 60 + minutes)
    }

    private static func sixDigits(_ digits: ArraySlice<UInt8>) -> Int64 {
        (0..<6).reduce(0) { $0 * 10 + ($1 < digits.count ? Int64(digits[digits.startIndex + $1] - 0x30) : 0) }
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, digits: Int) -> Int64? {
        let part = rest.prefix(digits)
        guard part.count == digits, part.allSatisfy(PlaylistNumber.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return part.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Days since 1970 of a day of the Gregorian calendar; years are counted from March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let fromMarch = month > 2 ? year : year - 1
        let era = fromMarch / 400
        let yearOfEra = fromMarch - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
