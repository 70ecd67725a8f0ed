/// The form `YYYYMMDD HH:MI:SS` (DCR Sweden Video iOS SDK, "Create Content Metadata").
///
/// The text is the local time of the first release as it was given: it is checked and never converted.
package enum AirDate {
    /// What stands for a date that is not known.
    package static let unknown = "19700101 00:00:00"

    /// Whether a text has the form and names a day and time that exist.
    package static func isValid(_ text: String) -> Bool {
        let characters = Array(text.utf8)
        guard characters.count == 17, characters[8] == UInt8(ascii: " "), characters[11] == UInt8(ascii: ":"),
            characters[14] == UInt8(ascii: ":"),
            let year = number(characters[0..<4]), let month = number(characters[4..<6]),
            let day = number(characters[6..<8]), let hour = number(characters[9..<11]),
            let minute = number(characters[12..<14]), let second = number(characters[15..<17])
        else { return false }
        return year > 0 && (1...12).contains(month) && day >= 1 && day <= days(in: month, of: year)
            && hour < 24 && minute < 60 && second < 60
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}
