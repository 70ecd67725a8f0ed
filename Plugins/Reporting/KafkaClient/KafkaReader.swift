internal import CRdKafka

/// Reads what a topic holds now, one partition behind the other, so that the order is the same each time.
///
/// Only what is committed is read; what comes meanwhile is not. Used by one thread.
@safe package final class KafkaReader {
    /// A partition with the offsets that it has.
    private struct Extent {
        let partition: Int32
        let offsets: Range<Int64>
    }

    /// How long a broker may take to answer, ms.
    private static let patience: Int32 = 10_000
    /// How long is waited for a batch to become full, ms: at the end of a partition it does not.
    private static let batchPatience: Int32 = 20
    /// Messages that are fetched of librdkafka at once.
    private static let batch = 1_000

    private let client: OpaquePointer
    private let topic: OpaquePointer
    private let queue: OpaquePointer
    private let run: [UInt8]?
    private var extents: ArraySlice<Extent> = []
    /// How many messages its partitions had at their begin that they keep no more.
    package private(set) var forgotten: Int64 = 0
    /// How many waits one after another brought nothing.
    private var emptyWaits: Int32 = 0
    /// The partition that is read, and how far it was; nil between partitions.
    private var current: (extent: Extent, next: Int64)?

    /// Asks what the topic holds; `properties` go behind the address's own.
    package init(_ address: KafkaAddress, _ properties: [(name: String, value: String)] = []) throws(KafkaFailure) {
        var settings = KafkaSettings()
        for (name, value) in [
            ("client.id", "tally-replay"), ("bootstrap.servers", address.brokers), ("enable.partition.eof", "true"),
            ("isolation.level", "read_committed"), ("allow.auto.create.topics", "false"), ("log_level", "0"),
        ] + address.properties + properties { try settings.set(name, value) }
        unsafe client = try settings.conf().client(RD_KAFKA_CONSUMER)
        guard let topic = unsafe rd_kafka_topic_new(client, address.topic, nil) else {
            let error = rd_kafka_last_error()
            unsafe rd_kafka_destroy(client)
            throw KafkaFailure(error)
        }
        unsafe self.topic = unsafe topic
        unsafe queue = unsafe rd_kafka_queue_new(client)
        run = address.run.map { Array($0.utf8) }
        extents = try measured(address.topic)[...]
    }

    deinit {
        if let current { unsafe rd_kafka_consume_stop(topic, current.extent.partition) }
        unsafe rd_kafka_queue_destroy(queue)
        unsafe rd_kafka_topic_destroy(topic)
        unsafe rd_kafka_destroy(client)
    }

    /// Reads on and lends the value of each message, until one was or all are read; false when all are.
    package func next(_ body: (UnsafeRawBufferPointer) -> Void) throws(KafkaFailure) -> Bool {
        while true {
            guard let (extent, _) = current else {
                guard let next = extents.popFirst() else { return false }
                try begin(next)
                continue
            }
            if unsafe try read(extent, body) { return true }
        }
    }

    // MARK: - Parts

    /// The partitions that hold something.
    private func measured(_ name: String) throws(KafkaFailure) -> [Extent] {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(client, 0, topic, &metadata, Self.patience)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw KafkaFailure(error, "no broker answers: \(KafkaFailure(error)); check the address, and that one runs")
        }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        guard unsafe metadata.pointee.topic_cnt == 1 else { throw KafkaFailure("no broker knows the topic \(name)") }
        let found = unsafe metadata.pointee.topics[0]
        guard unsafe found.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw unsafe KafkaFailure(found.err, "the topic \(name): \(KafkaFailure(found.err))")
        }
        var extents: [Extent] = []
        for index in unsafe 0..<Int(found.partition_cnt) {
            let partition = unsafe found.partitions[index].id
            var (low, high): (Int64, Int64) = (0, 0)
            let error = unsafe rd_kafka_query_watermark_offsets(client, name, partition, &low, &high, Self.patience)
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                throw KafkaFailure(error, "the partition \(partition) of \(name): \(KafkaFailure(error))")
            }
            forgotten += low
            if low < high { extents.append(Extent(partition: partition, offsets: low..<high)) }
        }
        return extents.sorted { $0.partition < $1.partition }
    }

    private func begin(_ extent: Extent) throws(KafkaFailure) {
        let start = extent.offsets.lowerBound
        guard unsafe rd_kafka_consume_start_queue(topic, extent.partition, start, queue) == 0 else {
            throw KafkaFailure(rd_kafka_last_error())
        }
        current = (extent, start)
    }

    private func end(_ extent: Extent) {
        unsafe rd_kafka_consume_stop(topic, extent.partition)
        current = nil
    }

    /// Reads some messages of a partition; whether one was lent.
    private func read(_ extent: Extent, _ body: (UnsafeRawBufferPointer) -> Void) throws(KafkaFailure) -> Bool {
        var failure: KafkaFailure?
        var isLent = false
        var isOver = false
        unsafe withUnsafeTemporaryAllocation(
            of: UnsafeMutablePointer<rd_kafka_message_t>?.self,
            capacity: Self.batch
        ) { messages in
            let count = unsafe rd_kafka_consume_batch_queue(queue, Self.batchPatience, messages.baseAddress, Self.batch)
            emptyWaits = count > 0 ? 0 : emptyWaits + 1
            if emptyWaits >= Self.patience / Self.batchPatience {
                failure = KafkaFailure("no broker has answered for \(Self.patience / 1000) s")
            }
            for index in 0..<max(0, count) {
                guard let message = unsafe messages[index] else { continue }
                defer { unsafe rd_kafka_message_destroy(message) }
                let content = unsafe message.pointee
                // What is behind the partition's end belongs to nobody here.
                guard unsafe content.partition == extent.partition, !isOver else { continue }
                switch unsafe content.err {
                case RD_KAFKA_RESP_ERR_NO_ERROR:
                    current?.next = unsafe content.offset + 1
                    isOver = unsafe content.offset + 1 >= extent.offsets.upperBound
                    guard unsafe content.offset < extent.offsets.upperBound else { continue }
                    guard unsafe isWanted(UnsafeRawBufferPointer(start: content.key, count: content.key_len)) else {
                        continue
                    }
                    unsafe body(UnsafeRawBufferPointer(start: content.payload, count: content.len))
                    isLent = true
                case RD_KAFKA_RESP_ERR__PARTITION_EOF: isOver = true
                case let error: failure = failure ?? KafkaFailure(error)
                }
            }
        }
        if let failure { throw failure }
        if isOver { end(extent) }
        return isLent
    }

    private func isWanted(_ key: UnsafeRawBufferPointer) -> Bool {
        guard let run else { return true }
        return unsafe key.elementsEqual(run)
    }
}
