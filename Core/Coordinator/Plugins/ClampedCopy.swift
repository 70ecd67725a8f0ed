/// Copies a structure of another image: at most as many bytes as both sides know, the rest stays zero.
///
/// - Parameters:
///   - source: the foreign structure; its first four bytes are its size.
///   - zero: a zeroed structure of this side.
/// - Returns: the copy, or nil when the foreign size is below `minimum`.
func clampedCopy<Structure: BitwiseCopyable>(
    _ source: UnsafeRawPointer, zero: Structure, minimum: Int
) -> Structure? {
    let size = unsafe Int(source.loadUnaligned(as: UInt32.self))
    guard size >= minimum else { return nil }
    var copy = zero
    unsafe withUnsafeMutableBytes(of: &copy) { target in
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(start: source, count: min(size, target.count)))
    }
    return copy
}
