/// A moment as date and time of day in UTC, in the Gregorian calendar without leap seconds.
public struct CivilDate: Sendable, Equatable {
    /// The year; 0 is the year before 1.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int
    /// The hour, from 0 to 23.
    public let hour: Int
    /// The minute, from 0 to 59.
    public let minute: Int
    /// The second, from 0 to 59.
    public let second: Int
    /// The microsecond, from 0 to 999,999.
    public let microsecond: Int
    /// The day of the week; 0 is Sunday.
    public let weekday: Int

    /// Makes the date of a number of microseconds since the start of 1970.
    public init(microsecondsSinceEpoch microseconds: Int64) {
        let perDay: Int64 = 86_400_000_000
        var days = microseconds / perDay
        var rest = microseconds % perDay
        if rest < 0 {
            rest += perDay
            days -= 1
        }
        // Years are counted from March, so that the leap day is a year's last; 400 years are one era.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        weekday = ((Int(days) + 4) % 7 + 7) % 7
        microsecond = Int(rest % 1_000_000)
        let seconds = Int(rest / 1_000_000)
        second = seconds % 60
        minute = seconds / 60 % 60
        hour = seconds / 3600
    }

    /// Appends the date as ISO 8601 with the given number of digits (0, 3 or 6) behind the seconds' point.
    ///
    /// Digits that are left out are cut off, not rounded.
    public func appendISO8601(to buffer: ByteBuffer, fractionDigits: Int = 6) {
        appendDate(to: buffer)
        buffer.append(UInt8(ascii: "T"))
        buffer.append(paddedDecimal: Int64(hour), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(paddedDecimal: Int64(minute), width: 2)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(paddedDecimal: Int64(second), width: 2)
        if fractionDigits > 3 {
            buffer.append(UInt8(ascii: "."))
            buffer.append(paddedDecimal: Int64(microsecond), width: 6)
        } else if fractionDigits > 0 {
            buffer.append(UInt8(ascii: "."))
            buffer.append(paddedDecimal: Int64(microsecond / 1000), width: 3)
        }
        buffer.append(UInt8(ascii: "Z"))
    }

    /// The date as ISO 8601 with microseconds.
    public var iso8601: String {
        let buffer = ByteBuffer(capacity: 32)
        appendISO8601(to: buffer)
        return buffer.string
    }

    private func appendDate(to buffer: ByteBuffer) {
        if year > 9999 {
            buffer.append(UInt8(ascii: "+"))
        }
        buffer.append(paddedDecimal: Int64(year), width: 4)
        buffer.append(UInt8(ascii: "-"))
        buffer.append(paddedDecimal: Int64(month), width: 2)
        buffer.append(UInt8(ascii: "-"))
        buffer.append(paddedDecimal: Int64(day), width: 2)
    }
}
