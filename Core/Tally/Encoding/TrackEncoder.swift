internal import Glibc
internal import PluginABI

/// Writes one track call's event into a slot of the queue, in canonical form.
///
/// Allocates nothing.
@safe struct TrackEncoder: ~Copyable {
    private var writer: BlockWriter
    private var slot: EventSlot
    private let queue: EventQueue
    /// The state, to be filled with what the player reports; stored, as each look at the writer's copies all of it.
    private(set) var state: UnsafeMutablePointer<tally_state>
    /// Attributes that broke a limit and are not in the event.
    private(set) var refused = 0

    init(slot: EventSlot, queue: EventQueue) {
        self.slot = slot
        self.queue = queue
        writer = unsafe BlockWriter(base: slot.base, capacity: slot.capacity)
        unsafe state = unsafe writer.state
    }

    /// The header, for time and flags.
    var header: UnsafeMutablePointer<tally_event> { unsafe writer.header }

    /// Ends the block and gives its slot back for publishing; nil when it did not fit.
    mutating func finish(_ type: EventType) -> EventSlot? {
        if writer.finish(type: type) == nil {
            guard enlarge(), writer.finish(type: type) != nil else { return nil }
        }
        return slot
    }

    /// Gives the slot back unused.
    func abandon() { queue.release(slot) }

    // MARK: - Attributes

    mutating func set(_ key: AttributeKey, _ text: String) {
        unsafe Self.lend(text) { bytes in
            unsafe set(key, bytes)
        }
    }

    mutating func set(_ key: AttributeKey, _ text: StaticString) { unsafe set(key, UTF8Text(text).bytes) }

    mutating func set(_ key: AttributeKey, _ number: Int64?) {
        guard let number else {
            refused += 1
            return
        }
        put { $0.set(key, CanonicalNumber(number)) }
    }

    mutating func set(_ key: AttributeKey, _ truth: Bool) { put { $0.set(key, truth) } }

    private mutating func set(_ key: AttributeKey, _ utf8: UnsafeRawBufferPointer) {
        put { unsafe $0.set(key, utf8: utf8) }
    }

    mutating func set(_ name: UTF8Text, text: UTF8Text) {
        put { unsafe $0.set(named: name, type: ValueType.string, bytes: text.bytes) }
    }

    mutating func set(_ name: UTF8Text, text: String) {
        unsafe Self.lend(text) { bytes in
            put { unsafe $0.set(named: name, type: ValueType.string, bytes: bytes) }
        }
    }

    mutating func set(_ name: UTF8Text, _ number: CanonicalNumber) { put { $0.set(named: name, number) } }

    mutating func set(_ name: UTF8Text, truth: Bool) {
        put { $0.set(named: name, type: ValueType.bool, number: truth ? 1 : 0) }
    }

    /// Lends a text's bytes; a text that is not stored as UTF-8, which does not happen on Linux, is made so first.
    @inline(__always)
    private static func lend(_ text: String, _ body: (UnsafeRawBufferPointer) -> Void) {
        let lent: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe body(UnsafeRawBufferPointer($0)) }
        if lent == nil {
            var text = text
            text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Sets an attribute that the application names.
    ///
    /// A name of the vocabulary becomes that attribute.
    mutating func set(custom name: String, _ value: PlainValue) {
        var name = name
        name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else {
                refused += 1
                return
            }
            let text = unsafe UTF8Text(start: start, count: bytes.count)
            put { $0.set(named: text, value) }
        }
    }

    /// Sets a time in seconds when there is one.
    mutating func setOptional(_ key: AttributeKey, _ seconds: Double?) {
        if let seconds { set(key, Canonical.milliseconds(seconds)) }
    }

    /// Lets the application write attributes.
    mutating func fill(_ attributes: (borrowing AttributeEncoder) -> Void) {
        unsafe withUnsafeMutablePointer(to: &self) { unsafe attributes(AttributeEncoder($0)) }
    }

    @inline(__always)
    private mutating func put(_ set: (inout BlockWriter) -> AttributeOutcome) {
        let outcome = set(&writer)
        if outcome != .written {
            refuse(outcome, set)
        }
    }

    @inline(never)
    private mutating func refuse(_ outcome: AttributeOutcome, _ set: (inout BlockWriter) -> AttributeOutcome) {
        if outcome != .blockFull || !enlarge() || set(&writer) != .written {
            refused += 1
        }
    }

    /// Goes on in a large slot; false when it is one already or there is none.
    private mutating func enlarge() -> Bool {
        guard slot.capacity < Limits.eventBytes, let large = queue.claimLarge() else { return false }
        unsafe writer.relocate(to: large.base, capacity: large.capacity)
        unsafe state = unsafe writer.state
        queue.release(slot)
        slot = large
        return true
    }
}

/// Takes attributes that an application adds to a track call.
///
/// Allocates nothing.
///
/// Lent for the call that it is handed to. A name of the data model becomes that attribute; any other one is custom.
/// What is set twice keeps the last value.
@safe public struct AttributeEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// Sets text.
    public func set(_ name: StaticString, _ text: String) { unsafe encoder.pointee.set(UTF8Text(name), text: text) }

    /// Sets a whole number.
    public func set(_ name: StaticString, _ number: Int64) {
        unsafe encoder.pointee.set(UTF8Text(name), CanonicalNumber(number))
    }

    /// Sets a number.
    public func set(_ name: StaticString, _ number: Double) {
        unsafe encoder.pointee.set(UTF8Text(name), CanonicalNumber(number))
    }

    /// Sets true or false.
    public func set(_ name: StaticString, _ truth: Bool) { unsafe encoder.pointee.set(UTF8Text(name), truth: truth) }

    /// Sets a value of any kind under a name made at run time.
    public func set(custom name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }

    /// Sets text under a name that is no Swift string.
    package func set(_ name: UTF8Text, text: UTF8Text) { unsafe encoder.pointee.set(name, text: text) }

    /// Sets a number under such a name.
    package func set(_ name: UTF8Text, _ number: CanonicalNumber) { unsafe encoder.pointee.set(name, number) }

    /// Sets true or false under such a name.
    package func set(_ name: UTF8Text, truth: Bool) { unsafe encoder.pointee.set(name, truth: truth) }
}

/// Turns what players measure into the whole numbers that Tally keeps.
package enum Canonical {
    /// Seconds as whole milliseconds, nearest; nil for what is no finite number in range.
    package static func milliseconds(_ seconds: Double) -> Int64? { thousandfold(seconds) }

    /// A length or a playhead in whole milliseconds; -1, which says "live", stays -1, as does all below zero.
    package static func mediaTime(_ seconds: Double) -> Int64? { seconds < 0 ? -1 : thousandfold(seconds) }

    /// A rate, volume or frame rate in thousandths, nearest; nil for what is no finite number in range.
    package static func thousandths(_ value: Double) -> Int32? { thousandfold(value).flatMap { Int32(exactly: $0) } }

    private static func thousandfold(_ value: Double) -> Int64? {
        let scaled = (value * 1000).rounded()
        guard scaled.isFinite, abs(scaled) < Double(CanonicalNumber.integerLimit) else { return nil }
        return Int64(scaled)
    }
}
