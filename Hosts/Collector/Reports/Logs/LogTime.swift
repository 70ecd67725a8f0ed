/// The times that access logs have, in us.
enum LogTime {
    /// The day's beginning since 1970, of `2026-09-21`.
    static func date(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: "-").compactMap { Int64($0) }
        guard parts.count == 3 else { return nil }
        return day(parts[0], parts[1], parts[2])
    }

    /// The time since the day's beginning, of `10:00:00` with a fraction or without.
    static func timeOfDay(_ text: some StringProtocol) -> Int64? {
        let parts = text.split(separator: ":")
        guard parts.count == 3, let hour = Int64(parts[0]), let minute = Int64(parts[1]), let second = Double(parts[2]),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<61).contains(second)
        else { return nil }
        return (hour * 3600 + minute * 60) * 1_000_000 + Int64((second * 1_000_000).rounded())
    }

    /// The time since 1970, of `2026-09-21T10:00:00.250Z`, with a zone or without, with a space or a `T`.
    static func dateAndTime(_ text: String) -> Int64? {
        guard let mark = text.firstIndex(where: { $0 == "T" || $0 == " " }), let day = date(text[..<mark]) else {
            return nil
        }
        var clock = text[text.index(after: mark)...]
        if clock.hasSuffix("Z") { clock.removeLast() }
        guard let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) else {
            return timeOfDay(clock).map { day + $0 }
        }
        guard let time = timeOfDay(clock[..<sign]), let zone = zone(clock[sign...]) else { return nil }
        return day + time - zone
    }

    /// The time since 1970, of `21/Sep/2026:10:00:00 +0200`.
    static func common(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let colon = parts[0].firstIndex(of: ":"), let zone = zone(parts[1]) else { return nil }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let date = parts[0][..<colon].split(separator: "/")
        guard date.count == 3, let month = months.firstIndex(of: String(date[1])), let number = Int64(date[0]),
            let year = Int64(date[2]), let day = day(year, Int64(month) + 1, number),
            let time = timeOfDay(parts[0][parts[0].index(after: colon)...])
        else { return nil }
        return day + time - zone
    }

    /// How far a zone is before UTC, of `+0200` or `+02:00`.
    private static func zone(_ text: Substring) -> Int64? {
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.utf8.count == 4, let number = Int64(digits), number >= 0 else { return nil }
        let length = (number / 100 * 3600 + number % 100 * 60) * 1_000_000
        return text.first == "-" ? -length : length
    }

    /// A day's beginning since 1970; years are counted from March, so that the leap day is a year's last.
    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1970..<10_000).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + ofYear - 719_468
        return days * 86_400_000_000
    }
}
