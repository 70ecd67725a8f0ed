import Archive
import EventModel
import TextEncoding

// Compiled with what it fuzzes. See Tests/Fuzz/run.

/// Reads bytes from the fuzzer as a whole archive, and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 1 else { return 0 }
    // The first byte says in which pieces the rest comes: they must not matter.
    let bytes = unsafe UnsafeRawBufferPointer(start: data + 1, count: count - 1)
    let whole = unsafe ArchiveReading(bytes, pieces: bytes.count)
    let pieces = unsafe ArchiveReading(bytes, pieces: Int(data[0]) % 97 + 1)
    if whole != pieces { fatalError("it matters in which pieces an archive is read") }
    if unsafe whole != ArchiveReading(bytes, pieces: bytes.count, samplesApart: true) {
        fatalError("it matters which way samples are read")
    }
    if whole.bytes != bytes.count { fatalError("\(bytes.count) bytes are \(whole.bytes)") }
    if whole.used + whole.damaged > whole.lines { fatalError("more lines than there are") }
    return 0
}

/// What came of reading an archive.
private struct ArchiveReading: Equatable {
    var lines = 0
    var bytes = 0
    var used = 0
    var damaged = 0
    var problems = ""
    /// Headers, states and names of all events, with the runs and numbers of their lines.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Reads the bytes in pieces of a size; with `samplesApart` as a replay does.
    init(_ bytes: UnsafeRawBufferPointer, pieces: Int, samplesApart: Bool = false) {
        var place = 0
        let source = unsafe ArchiveSource(path: "fuzz") { buffer in
            let count = min(pieces, buffer.count, bytes.count - place)
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place..<place + count]))
            place += count
            return count
        }
        let reader = ArchiveReader(source)
        while true {
            while samplesApart, let sample = unsafe reader.nextSample() {
                unsafe take(.event(EventView(sample)), reader)
            }
            let line = try? reader.next(damaged: { damage in
                damaged += 1
                if damaged < 20 { problems += "\(damage)\n" }
            })
            guard let line else { break }
            take(line, reader)
        }
        lines = reader.lineNumber
        self.bytes = reader.bytesRead
    }

    private mutating func take(_ line: ArchiveLine, _ reader: ArchiveReader) {
        used += 1
        guard case .event(let event) = line else { return }
        if event.time < 0 { fatalError("an event before its run") }
        unsafe add(UnsafeRawBufferPointer(rebasing: event.block[..<BlockLayout.attributesOffset]))
        unsafe add(event.typeName.bytes)
        unsafe add(reader.decoder.run.bytes)
        var places = (UInt64(reader.lineNumber), reader.decoder.ordinal)
        unsafe withUnsafeBytes(of: &places) { unsafe add($0) }
    }

    /// FNV-1a.
    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for index in bytes.indices {
            unsafe hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
        }
    }
}
