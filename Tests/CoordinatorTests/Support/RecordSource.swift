import Coordinator
import PluginABI

/// Hands records to reporters as a run does.
@safe final class RecordSource {
    private let identity = OriginIdentity(
        runID: "run",
        pluginID: "org.tally.test",
        version: "1.0.0",
        instance: "mine",
        epoch: 0
    )
    private let heap: UnsafeMutableRawPointer
    private let size: Int
    private(set) var sent: UInt64 = 0

    /// Each record has so many bytes.
    init(bytes: Int = 16) {
        size = bytes
        unsafe heap = .allocate(byteCount: bytes, alignment: 16)
        unsafe heap.initializeMemory(as: UInt8.self, repeating: 0x78, count: bytes)
    }

    deinit {
        unsafe heap.deallocate()
    }

    /// Hands the next `count` records to all consumers.
    func send(_ count: Int, to consumers: any OutputConsumer...) {
        for _ in 0..<count {
            sent += 1
            var record = unsafe tally_record(
                struct_size: UInt32(MemoryLayout<tally_record>.size),
                flags: 0,
                kind: tally_str(ptr: heap.assumingMemoryBound(to: CChar.self), len: 4),
                attrs: nil,
                attr_count: 0,
                heap: heap,
                heap_len: UInt64(size)
            )
            unsafe withUnsafePointer(to: &record) { record in
                let output = unsafe Output(
                    what: TALLY_OUTPUT_RECORD,
                    identity: identity,
                    session: 1,
                    ordinal: sent,
                    time: Int64(sent),
                    item: UnsafeRawPointer(record)
                )
                for consumer in consumers where consumer.wanted & (1 << TALLY_OUTPUT_RECORD) != 0 {
                    consumer.consume(output)
                }
            }
        }
    }
}

extension OutputConsumer {
    /// Asks to deliver what was taken of a session, and gives the answers that come.
    func flushed(session: UInt32 = 0) -> Notes<FlushAnswer> {
        let answers = Notes<FlushAnswer>()
        flush(runID: "run", session: session, budget: 1_000) { answers.add($0) }
        return answers
    }
}
