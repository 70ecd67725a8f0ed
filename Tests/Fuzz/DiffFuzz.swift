import Glibc
import TextEncoding

// Compiled into one module with the comparison of tally-replay. See Tests/Fuzz/run.

/// Reads bytes from the fuzzer as two outputs, parted by a zero byte, and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDiff(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 1 else { return 0 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: data + 1, count: count - 1))
    let halves = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    let left = halves[0]
    let right = halves.count == 2 ? halves[1] : halves[0]
    let room = unsafe Int(data[0]) * 64
    guard let counts = compare(left, right, room) else { return 0 }
    guard let back = compare(right, left, room) else { fatalError("readable one way and not the other") }
    if left == right, counts.differences != 0 { fatalError("\(counts.differences) differences from itself") }
    if counts.pairs + counts.onlyInA != back.pairs + back.onlyInB { fatalError("lines of A get lost") }
    if counts.pairs + counts.onlyInB != back.pairs + back.onlyInA { fatalError("lines of B get lost") }
    if counts.changed > counts.pairs { fatalError("more lines changed than there are pairs") }
    return 0
}

private func compare(_ left: [UInt8], _ right: [UInt8], _ room: Int) -> OutputComparison.Counts? {
    guard let first = try? input(left), let second = try? input(right) else { return nil }
    var told = 0
    let comparison = OutputComparison(first, second, rules: ComparisonRules(), room: room) { difference in
        told += 1
        if difference.left == nil, difference.right == nil { fatalError("a difference of nothing") }
    }
    guard (try? comparison.run()) != nil else { return nil }
    if told != comparison.counts.differences { fatalError("\(told) told of \(comparison.counts.differences)") }
    return comparison.counts
}

/// A file without a name, in memory, with these bytes.
private func input(_ bytes: [UInt8]) throws -> InputFile {
    var path = Array("/dev/shm/tally-diff-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&path)
    defer { close(descriptor) }
    unsafe unlink(path)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    lseek(descriptor, 0, SEEK_SET)
    return try InputFile("/proc/self/fd/\(descriptor)")
}
