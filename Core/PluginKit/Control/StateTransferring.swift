/// A tracker whose state survives its replacement by a newer file (`tally.state/1`).
///
/// The old instance saves, the new one loads before it is enabled; both name the same format, otherwise the new one
/// begins as a tracker that joins in mid-session.
public protocol StateTransferring: Tracker {
    /// The number of the form that the state is written in; a form that changes gets another.
    static var stateFormat: UInt32 { get }

    /// Writes what the instance knows.
    func saveState() -> [UInt8]

    /// Takes over what an instance of the same format saved; a fault refuses the replacement.
    func loadState(_ state: [UInt8]) throws(TrackerFault)
}
