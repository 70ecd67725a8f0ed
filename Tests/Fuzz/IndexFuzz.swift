import HostSupport
import TextEncoding

// See Tests/Fuzz/run.

/// Reads bytes from the fuzzer as an index, and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzIndex(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 0 else { return 0 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: data, count: count))
    _ = ArchiveIndex.parse(bytes)
    // As the lines of runs, with the digest that they have.
    let digest = unsafe bytes.withUnsafeBytes { unsafe SHA256.hex(of: $0) }
    let head = #"{"tally_index":1,"archive":{},"sha256":"\#(digest)"}"# + "\n"
    guard let (archive, index) = ArchiveIndex.parse(Array(head.utf8) + bytes) else { return 0 }
    let text = index.text(of: archive)
    guard let again = ArchiveIndex.parse(Array(text.utf8)) else { fatalError("what was written cannot be read") }
    if again.index.text(of: archive) != text { fatalError("what was written is read as something else") }
    let middle = index.runs.isEmpty ? "" : index.runs[index.runs.count / 2].id
    for isWanted in [{ _ in true }, { $0 == middle }, { _ in false }] as [(String) -> Bool] {
        guard let excerpt = index.excerpt(of: isWanted) else { continue }
        var end = -1
        for stretch in excerpt.stretches {
            if stretch.lowerBound <= end || stretch.isEmpty { fatalError("lines are read twice") }
            end = stretch.upperBound
        }
        let wanted = index.runs.count { isWanted($0.id) }
        if excerpt.otherRuns + wanted != index.runs.count { fatalError("runs get lost") }
    }
    return 0
}
