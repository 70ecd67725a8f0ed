/// Turns compressed bytes into plain ones.
protocol Decompression: AnyObject {
    /// Whether the compressed bytes may end here: no member of them is incomplete.
    var isComplete: Bool { get }

    /// Takes bytes from the front of `input` and puts plain ones into `output`.
    ///
    /// - Returns: how many bytes were taken and made; nil when the compressed bytes are damaged.
    func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) -> (taken: Int, made: Int)?
}
