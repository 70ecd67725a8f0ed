/// How far a run has come.
struct RunPlace: Equatable, Sendable {
    /// The last entry of the journal that is done.
    var entry: UInt64 = 0
    /// Tally's own form: the number of the player's last line.
    var last: UInt64 = 0
    /// When something came for it last, us since 1970.
    var heard: Int64 = 0
    /// When it is to be looked at if nothing comes, us since 1970; 0 is never.
    var due: Int64 = 0

    /// Times that can be, us since 1970: up to the year 9999.
    static let times = 0..<Int64(253_402_300_800_000_000)

    init() {}

    /// Reads what ``line`` has behind its sign; nil when it is damaged.
    init?(_ text: String) {
        let numbers = text.split(separator: " ")
        guard numbers.count == 4, let entry = UInt64(numbers[0]), let last = UInt64(numbers[1]),
            let heard = Int64(numbers[2]), let due = Int64(numbers[3]), Self.times.contains(heard),
            Self.times.contains(due)
        else { return nil }
        self.entry = entry
        self.last = last
        self.heard = heard
        self.due = due
    }

    /// The line that says so.
    var line: String { "#j \(entry) \(last) \(heard) \(due)\n" }
}
