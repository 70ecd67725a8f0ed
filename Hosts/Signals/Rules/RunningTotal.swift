/// Adds up a counter that begins anew now and then, as players' counters do at a seek, a pause or the next file.
package struct RunningTotal: Equatable, Sendable {
    /// All that was counted so far; never falls.
    package private(set) var total: Int64 = 0
    private var last: Int64 = 0

    /// Nothing is counted.
    package init() {}

    /// The counter stands at a value now: one below the last has begun anew.
    ///
    /// One that is told at each thing that it counts, `isEvent`, has begun anew where it did not grow: it was one.
    package mutating func read(_ counter: Int64, isEvent: Bool = false) {
        guard counter >= 0 else { return }
        let more = isEvent && counter <= last ? 1 : counter >= last ? counter - last : counter
        let (sum, isTooMuch) = total.addingReportingOverflow(more)
        total = isTooMuch ? .max : sum
        last = counter
    }

    /// Another session begins, and the counter goes on where it stands.
    package mutating func restart() { total = 0 }
}
