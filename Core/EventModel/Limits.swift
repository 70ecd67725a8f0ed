public import PluginABI

/// The sizes that Tally enforces; docs/limits.md explains them.
public enum Limits {
    /// Bytes of an event block.
    @inlinable public static var eventBytes: Int { 16 * 1024 }
    /// Bytes of a record's attributes and texts.
    @inlinable public static var recordBytes: Int { 256 * 1024 }
    /// Bytes of a beacon's texts.
    @inlinable public static var beaconBytes: Int { 1024 * 1024 }
    /// Attributes of an event or a record.
    @inlinable public static var attributes: Int { 200 }
    /// Bytes of an attribute's name.
    @inlinable public static var nameBytes: Int { 255 }
    /// Bytes of a text or of a list with its texts.
    @inlinable public static var valueBytes: Int { 64 * 1024 }
    /// How deep lists may be nested.
    @inlinable public static var listDepth: Int { 8 }
    /// Event types outside the vocabulary that get a number of their own in a process.
    @inlinable public static var unknownTypes: Int { 10_000 }
    /// Timers that one tracker instance may have running.
    @inlinable public static var timers: Int { 10_000 }
    /// Records and beacons that one tracker may emit in one call.
    @inlinable public static var callOutputs: Int { 100_000 }
    /// Bytes that the records and beacons of one call may have together.
    @inlinable public static var callBytes: Int { 64 * 1024 * 1024 }
    /// Bytes of the values that one tracker instance keeps from run to run, with their keys, as a JSON object.
    @inlinable public static var storedBytes: Int { 8 * 1024 }
    /// Errors in a row that disable a tracker.
    @inlinable public static var errorsInRow: Int { 20 }
    /// How far ahead a timer's deadline lies at least, us.
    @inlinable public static var timerLeadMicroseconds: Int64 { 1_000 }
    /// How far apart two lines of a run may lie in time, us: 31 days.
    @inlinable public static var longestSilenceMicroseconds: Int64 { 31 * 86_400 * 1_000_000 }
    /// How far apart they lie at most in a session that goes on, unless configured otherwise, us: 6 hours.
    @inlinable public static var silenceMicroseconds: Int64 { 6 * 3_600 * 1_000_000 }
    /// Time between two playhead samples, us.
    @inlinable public static var sampleIntervalMicroseconds: Int64 { 250_000 }
}

/// Where the parts of a block written by this version lie: header, state, attributes, then texts.
@usableFromInline
package enum BlockLayout {
    /// Offset of the state.
    @inlinable package static var stateOffset: Int { MemoryLayout<tally_event>.size }
    /// Offset of the first attribute.
    @inlinable package static var attributesOffset: Int { stateOffset + MemoryLayout<tally_state>.size }
    /// Alignment of a block, and of lists inside it.
    @inlinable package static var alignment: Int { 8 }
    /// Bytes of a record without attributes, whatever its kind.
    @inlinable package static var smallestRecord: Int { aligned(MemoryLayout<tally_record>.size + Limits.nameBytes) }
    /// Bytes of one attribute.
    @inlinable package static var attributeSize: Int { MemoryLayout<tally_attr>.stride }

    /// Rounds a size up to the alignment.
    @inlinable
    package static func aligned(_ size: Int) -> Int {
        (size + alignment - 1) & ~(alignment - 1)
    }
}
