internal import CRdKafka
internal import Glibc

/// A member of a consumer group that reads one topic.
///
/// Nothing is committed but by ``commit(_:)``. Used by one thread, on which the handlers are called, too.
@safe package final class KafkaGroup {
    /// How far a group is in a partition.
    package struct Position: Sendable, Equatable {
        /// The partition's number.
        package let partition: Int32
        /// The offset to read from; nil where nothing was committed: then from the partition's begin.
        package let offset: Int64?
        /// What was committed with it, in the words of who did.
        package let note: String

        package init(partition: Int32, offset: Int64?, note: String) {
            (self.partition, self.offset, self.note) = (partition, offset, note)
        }
    }

    /// A message as it lies in the topic; its bytes are lent.
    @safe package struct Message {
        /// Where it is.
        package let partition: Int32
        package let offset: Int64
        /// When it was written, ms since 1970; nil when nobody says.
        package let time: Int64?
        package let key: UnsafeRawBufferPointer
        package let value: UnsafeRawBufferPointer
    }

    /// What a poll found.
    package enum Event {
        /// A message was lent.
        case message
        /// All of a partition was read for now.
        case end(Int32)
        /// Nothing, for now.
        case nothing
    }

    /// Is told which partitions this member reads from now on.
    package var assigned: ([Position]) -> Void = { _ in }
    /// Is told which partitions another member reads from now on; it may still commit them, unless they are lost.
    package var revoked: (_ partitions: [Int32], _ isLost: Bool) -> Void = { _, _ in }

    /// How long a broker may take to answer, ms.
    private static let patience: Int32 = 10_000

    private let topic: String
    private var client: OpaquePointer?
    /// Why the last change of the partitions failed.
    private var failure: KafkaFailure?

    /// Joins the group; `properties` go behind the address's own.
    package init(
        _ address: KafkaAddress,
        group: String,
        _ properties: [(name: String, value: String)] = []
    ) throws(KafkaFailure) {
        topic = address.topic
        var settings = KafkaSettings()
        for (name, value) in [
            ("client.id", "tally-replay"), ("bootstrap.servers", address.brokers),
            ("isolation.level", "read_committed"),
            ("allow.auto.create.topics", "false"), ("log_level", "0"),
        ] + address.properties + properties + [
            ("group.id", group), ("enable.partition.eof", "true"), ("enable.auto.commit", "false"),
            ("auto.offset.reset", "earliest"),
        ] { try settings.set(name, value) }
        let conf = try settings.conf()
        unsafe conf.rebalance(Unmanaged.passUnretained(self).toOpaque()) { _, error, list, member in
            guard let member = unsafe member, let list = unsafe list else { return }
            unsafe Unmanaged<KafkaGroup>.fromOpaque(member).takeUnretainedValue().change(error, list)
        }
        let client = try unsafe conf.client(RD_KAFKA_CONSUMER)
        unsafe self.client = unsafe client
        unsafe rd_kafka_poll_set_consumer(client)
        try join(address.topic)
    }

    deinit { close() }

    /// Leaves the group, so that others read on at once; no handler is called any more.
    package func close() {
        guard let client = unsafe client else { return }
        assigned = { _ in }
        revoked = { _, _ in }
        unsafe rd_kafka_consumer_close(client)
        unsafe rd_kafka_destroy(client)
        unsafe self.client = nil
    }

    /// Waits for one message, and lends it; the handlers are called meanwhile.
    package func poll(milliseconds: Int32, _ body: (Message) -> Void) throws(KafkaFailure) -> Event {
        let message = unsafe rd_kafka_consumer_poll(client, milliseconds)
        if let failure { throw failure }
        guard let message = unsafe message else { return .nothing }
        defer { unsafe rd_kafka_message_destroy(message) }
        let content = unsafe message.pointee
        switch unsafe content.err {
        case RD_KAFKA_RESP_ERR_NO_ERROR:
            var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
            let time = unsafe rd_kafka_message_timestamp(message, &kind)
            unsafe body(
                Message(
                    partition: content.partition,
                    offset: content.offset,
                    time: kind == RD_KAFKA_TIMESTAMP_NOT_AVAILABLE ? nil : time,
                    key: UnsafeRawBufferPointer(start: content.key, count: content.key_len),
                    value: UnsafeRawBufferPointer(start: content.payload, count: content.len)
                )
            )
            return .message
        case RD_KAFKA_RESP_ERR__PARTITION_EOF: return unsafe .end(content.partition)
        case let error where Self.lasting.contains(error.rawValue): throw KafkaFailure(error)
        // librdkafka goes on by itself.
        default: return .nothing
        }
    }

    /// Commits how far the group is, and waits until a broker has it.
    package func commit(_ positions: [Position]) throws(KafkaFailure) {
        let list = unsafe rd_kafka_topic_partition_list_new(Int32(positions.count))
        defer { unsafe rd_kafka_topic_partition_list_destroy(list) }
        for position in positions {
            guard let offset = position.offset,
                let entry = unsafe rd_kafka_topic_partition_list_add(list, topic, position.partition)
            else { continue }
            unsafe entry.pointee.offset = offset
            // librdkafka frees it with the list.
            unsafe entry.pointee.metadata = unsafe UnsafeMutableRawPointer(strdup(position.note))
            unsafe entry.pointee.metadata_size = position.note.utf8.count
        }
        let error = unsafe rd_kafka_commit(client, list, 0)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error) }
        for index in unsafe 0..<Int(list?.pointee.cnt ?? 0) {
            guard let entry = unsafe list?.pointee.elems[index] else { continue }
            guard unsafe entry.err == RD_KAFKA_RESP_ERR_NO_ERROR else { throw unsafe KafkaFailure(entry.err) }
        }
    }

    // MARK: - Parts

    /// What does not become well by waiting.
    private static let lasting = [
        RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
        RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR__FATAL, RD_KAFKA_RESP_ERR__AUTHENTICATION,
        RD_KAFKA_RESP_ERR_INVALID_GROUP_ID, RD_KAFKA_RESP_ERR__MAX_POLL_EXCEEDED,
    ].map(\.rawValue)

    /// Makes sure that somebody answers, and subscribes.
    private func join(_ topic: String) throws(KafkaFailure) {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let handle = unsafe rd_kafka_topic_new(client, topic, nil)
        defer { if let handle = unsafe handle { unsafe rd_kafka_topic_destroy(handle) } }
        let error = unsafe rd_kafka_metadata(client, 0, handle, &metadata, Self.patience)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw KafkaFailure(error, "no broker answers: \(KafkaFailure(error)); check the address, and that one runs")
        }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        guard unsafe metadata.pointee.topic_cnt == 1 else { throw KafkaFailure("no broker knows the topic \(topic)") }
        let found = unsafe metadata.pointee.topics[0].err
        guard found == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw KafkaFailure(found, "the topic \(topic): \(KafkaFailure(found))")
        }
        let list = unsafe rd_kafka_topic_partition_list_new(1)
        defer { unsafe rd_kafka_topic_partition_list_destroy(list) }
        unsafe rd_kafka_topic_partition_list_add(list, topic, -1)
        let subscribed = unsafe rd_kafka_subscribe(client, list)
        guard subscribed == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(subscribed) }
    }

    /// Takes partitions, or gives them back, as the group has agreed.
    private func change(
        _ error: rd_kafka_resp_err_t,
        _ list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>
    ) {
        guard error == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS else {
            let partitions = unsafe (0..<Int(list.pointee.cnt)).map { unsafe list.pointee.elems[$0].partition }
            revoked(partitions, unsafe rd_kafka_assignment_lost(client) != 0)
            unsafe give(list, isAssigned: false)
            return
        }
        let asked = unsafe rd_kafka_committed(client, list, Self.patience)
        guard asked == RD_KAFKA_RESP_ERR_NO_ERROR else {
            failure = KafkaFailure(asked, "no broker says what the group has committed: \(KafkaFailure(asked))")
            unsafe give(list, isAssigned: false)
            return
        }
        var positions: [Position] = []
        for index in unsafe 0..<Int(list.pointee.cnt) {
            let entry = unsafe list.pointee.elems[index]
            let note = unsafe entry.metadata.map {
                unsafe String(decoding: UnsafeRawBufferPointer(start: $0, count: entry.metadata_size), as: UTF8.self)
            }
            let offset = unsafe entry.offset >= 0 ? entry.offset : nil
            if offset == nil { unsafe list.pointee.elems[index].offset = Int64(RD_KAFKA_OFFSET_BEGINNING) }
            unsafe positions.append(Position(partition: entry.partition, offset: offset, note: note ?? ""))
        }
        unsafe give(list, isAssigned: true)
        assigned(positions)
    }

    private func give(_ list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>, isAssigned: Bool) {
        // It says nothing while the client ends.
        let agreed = unsafe rd_kafka_rebalance_protocol(client).map { unsafe String(cString: $0) }
        let isIncremental = agreed == "COOPERATIVE"
        guard isIncremental else {
            let error = unsafe rd_kafka_assign(client, isAssigned ? list : nil)
            if error != RD_KAFKA_RESP_ERR_NO_ERROR { failure = KafkaFailure(error) }
            return
        }
        let error =
            unsafe isAssigned ? rd_kafka_incremental_assign(client, list) : rd_kafka_incremental_unassign(client, list)
        guard let error = unsafe error else { return }
        failure = unsafe KafkaFailure(rd_kafka_error_code(error))
        unsafe rd_kafka_error_destroy(error)
    }
}
