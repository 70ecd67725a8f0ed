internal import PluginABI

/// Where the parts of a block written by this version lie: header, state, attributes, then texts.
package enum BlockLayout {
    /// Offset of the state.
    package static let stateOffset = MemoryLayout<tally_event>.size
    /// Offset of the first attribute.
    package static let attributesOffset = stateOffset + MemoryLayout<tally_state>.size
    /// Alignment of a block, and of lists inside it.
    package static let alignment = 8
    /// Bytes of a record without attributes, whatever its kind.
    package static let smallestRecord = aligned(MemoryLayout<tally_record>.size + Limits.nameBytes)
    /// Bytes of one attribute.
    package static let attributeSize = MemoryLayout<tally_attr>.stride

    /// Rounds a size up to the alignment.
    package static func aligned(_ size: Int) -> Int {
        (size + alignment - 1) & ~(alignment - 1)
    }
}
