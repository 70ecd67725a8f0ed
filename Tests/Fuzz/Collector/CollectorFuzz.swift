internal import Glibc

// Compiled with what it fuzzes. See Tests/Fuzz/run.

/// What of the collector takes bytes from outside, or from a disk that may be damaged.
enum CollectorPart: String, CaseIterable {
    case cmcd
    case batch
    case events
    case log
    case runFile = "run-file"
    case journal

    /// The one that all bytes are for; nil when their first one says which.
    static let chosen = unsafe getenv("TALLY_FUZZ_PART").flatMap { CollectorPart(rawValue: unsafe String(cString: $0)) }

    /// The part that begins with this letter, or else the one that the number falls to.
    init(_ byte: UInt8) {
        let letters = Self.allCases.map { $0.rawValue.utf8.first ?? 0 }
        self = Self.allCases[letters.firstIndex(of: byte) ?? Int(byte) % letters.count]
    }
}

/// Takes bytes from the fuzzer as what a part of the collector reads, and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCollector(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 1 else { return 0 }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: data + 1, count: count - 1))
    switch unsafe CollectorPart.chosen ?? CollectorPart(data[0]) {
    case .cmcd: fuzzCMCD(bytes)
    case .batch: fuzzBatch(bytes)
    case .events: fuzzEvents(bytes)
    case .log: fuzzLog(bytes)
    case .runFile: fuzzRunFile(bytes)
    case .journal: fuzzJournal(bytes)
    }
    return 0
}
