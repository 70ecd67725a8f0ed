internal import PluginKit

/// What the reporter's thread hands to the sender's.
struct Inbox {
    /// Bytes that may wait for the sender; beyond that the host keeps its outputs.
    static let largest = 8 << 20

    /// A question of a person, answered on the sender's thread.
    struct Question {
        let number: Int
        let body: @Sendable (Sender) throws(CommandError) -> JSONValue
    }

    /// Taken and not committed, the sender's share included.
    var bytes = 0
    var beacons: [StoredBeacon] = []
    var flushes: [FlushRequest] = []
    var questions: [Question] = []
    var answers: [Int: Result<JSONValue, CommandError>] = [:]
    var asked = 0
    var lost: Int64 = 0
    /// When the sender has to end, ms since 1970; nil while it is to go on.
    var end: Int64?
    /// Whether the host was told that nothing more fits.
    var isFull = false
}
