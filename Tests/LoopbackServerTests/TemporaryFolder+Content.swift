extension TemporaryFolder {
    /// Writes a file of bytes that differ by their position and returns them.
    func write(count: Int, to name: String) -> [UInt8] {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        write(name, bytes: bytes)
        return bytes
    }
}
