/// Memory for one event block, taken from an ``EventQueue``.
@safe package struct EventSlot {
    /// The block's memory, aligned to 8.
    package let base: UnsafeMutableRawPointer
    /// Its bytes.
    package let capacity: Int
    /// The number that the queue knows it by.
    let index: UInt32
}
