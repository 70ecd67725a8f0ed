/// Writes what a tracker knows, or reads it: the same lines of a tracker do both.
///
///     func saveState() -> [UInt8] { StateTransfer.save(carry) }
///     func loadState(_ state: [UInt8]) throws(TrackerFault) { try StateTransfer.load(state, carry) }
///     private func carry(_ transfer: StateTransfer) {
///         transfer.carry(&count)
///         transfer.carryTimers(of: host)
///     }
///
/// What is carried after something that could not be read keeps its value, and the load fails as a whole.
public final class StateTransfer {
    /// Whether values are read, and not written.
    public let isLoading: Bool

    private var bytes: [UInt8]
    private var position = 0
    private var problem: String?

    // What stands before each value, so that a reader that is out of step notices.
    private static let wordMark: UInt8 = 0x57
    private static let flagMark: UInt8 = 0x46
    private static let bytesMark: UInt8 = 0x42

    private init(loading bytes: [UInt8]?) {
        isLoading = bytes != nil
        self.bytes = bytes ?? []
    }

    /// The bytes that hold everything that `body` carries.
    public static func save(_ body: (StateTransfer) -> Void) -> [UInt8] {
        let transfer = StateTransfer(loading: nil)
        body(transfer)
        return transfer.bytes
    }

    /// Reads everything that `body` carries from bytes that ``save(_:)`` made with the same `body`.
    ///
    /// - Throws: a fault that says where the bytes do not fit; the tracker is of no use then.
    public static func load(_ bytes: [UInt8], _ body: (StateTransfer) -> Void) throws(TrackerFault) {
        let transfer = StateTransfer(loading: bytes)
        body(transfer)
        if transfer.problem == nil, transfer.position != bytes.count {
            transfer.fail("\(bytes.count - transfer.position) bytes are left")
        }
        if let problem = transfer.problem {
            throw TrackerFault("the state of \(bytes.count) bytes cannot be taken over: \(problem)")
        }
    }

    /// Writes a value, or reads it.
    public func carry(_ value: inout some StateValue) {
        value.carry(by: self)
    }

    /// Carries the timers that are running: their deadlines, and the numbers that the tracker knows them by.
    ///
    /// The kit starts them again, in their order, before the new instance is enabled.
    public func carryTimers(of host: TrackerHost) {
        var timers = host.timers.saved
        carry(&timers.lastID)
        carry(&timers.running)
        if isLoading, problem == nil { host.timers.load(timers) }
    }

    /// Makes the load fail; of several reasons the first one is told.
    public func fail(_ reason: String) {
        guard isLoading, problem == nil else { return }
        problem = "\(reason), before byte \(position)"
    }

    // MARK: - For the values

    func word(_ value: UInt64) -> UInt64 {
        guard isLoading else {
            bytes.append(Self.wordMark)
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
            }
            return value
        }
        guard let start = take(Self.wordMark, 8) else { return value }
        var result: UInt64 = 0
        for index in 0..<8 {
            result |= UInt64(bytes[start + index]) << UInt64(index * 8)
        }
        return result
    }

    func flag(_ value: Bool) -> Bool {
        guard isLoading else {
            bytes.append(Self.flagMark)
            bytes.append(value ? 1 : 0)
            return value
        }
        guard let start = take(Self.flagMark, 1) else { return false }
        if bytes[start] > 1 { fail("\(bytes[start]) is no truth value") }
        return bytes[start] == 1
    }

    func text(_ value: String) -> String {
        var value = value
        value.withUTF8 { unsafe save(bytes: UnsafeRawBufferPointer($0)) }
        guard let bytes = loadBytes() else { return value }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            fail("a text is not UTF-8")
            return value
        }
        return text
    }

    /// A number of elements, each of which has at least a byte.
    func count(_ value: Int) -> Int {
        let count = word(UInt64(value))
        guard isLoading else { return value }
        guard problem == nil, count <= UInt64(bytes.count - position) else {
            fail("\(count) elements do not fit")
            return 0
        }
        return Int(count)
    }

    func save(bytes more: UnsafeRawBufferPointer) {
        guard !isLoading else { return }
        bytes.append(Self.bytesMark)
        _ = word(UInt64(more.count))
        unsafe bytes.append(contentsOf: more)
    }

    /// Nil when nothing is loaded, or nothing could be read.
    func loadBytes() -> [UInt8]? {
        guard isLoading, take(Self.bytesMark, 0) != nil else { return nil }
        let count = count(0)
        guard problem == nil else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The place of so many bytes behind their mark.
    private func take(_ mark: UInt8, _ count: Int) -> Int? {
        guard problem == nil else { return nil }
        guard bytes.count - position > count, bytes[position] == mark else {
            fail("something else is expected")
            return nil
        }
        let start = position + 1
        position = start + count
        return start
    }
}

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
