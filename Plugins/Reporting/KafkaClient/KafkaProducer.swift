internal import CRdKafka

/// A producer of librdkafka.
///
/// Messages are queued from any thread; one thread polls.
@safe package final class KafkaProducer: @unchecked Sendable {
    /// What came of the wish to queue a message.
    package enum Outcome {
        /// It is queued: a report follows.
        case queued
        /// The queue has no room now.
        case full
        /// It can never be sent, such as one that is too large.
        case refused(KafkaFailure)
        /// The producer is of no use any more: a fatal error, as its log says.
        case broken
    }

    /// What became of a message that was queued.
    package struct Report {
        /// What ``produce(_:topic:key:value:headers:)`` was given.
        package let tag: Int
        /// Why it did not arrive; nil when it did.
        package let failure: KafkaFailure?
        /// Whether a broker may have it all the same.
        package let mayHaveArrived: Bool
    }

    /// What polling found.
    package enum Event {
        /// What became of messages.
        case reports([Report])
        /// Something that is for people; librdkafka goes on by itself.
        case notice(String, isError: Bool)
        /// The producer is of no use any more.
        case fatal(String)
    }

    private let client: OpaquePointer
    private let queue: OpaquePointer
    private var topics: [String: OpaquePointer] = unsafe [:]

    /// Makes a producer; it connects by itself.
    package init(_ settings: KafkaSettings) throws(KafkaFailure) {
        let conf = try settings.conf()
        try conf.set("log.queue", "true")
        conf.enable(events: tally_kafka_producer_events)
        let client = try unsafe conf.client(RD_KAFKA_PRODUCER)
        unsafe self.client = unsafe client
        unsafe queue = unsafe rd_kafka_queue_get_main(client)
        unsafe rd_kafka_set_log_queue(client, nil)
    }

    deinit {
        let handles = unsafe Array(topics.values)
        for index in unsafe handles.indices { unsafe rd_kafka_topic_destroy(handles[index]) }
        unsafe rd_kafka_queue_destroy(queue)
        unsafe rd_kafka_destroy(client)
    }

    /// Queues a copy of a message, from one thread at a time; headers are lines: name, colon, space and value.
    package func produce(
        _ tag: Int,
        topic: String,
        key: UnsafeRawBufferPointer,
        value: UnsafeRawBufferPointer,
        headers: UnsafeRawBufferPointer
    ) -> Outcome {
        guard let topic = unsafe handle(topic) else {
            return .refused(KafkaFailure(rd_kafka_last_error()))
        }
        let list = unsafe Self.headers(headers)
        let error = unsafe tally_kafka_produce(
            client,
            topic,
            key.baseAddress,
            key.count,
            value.baseAddress,
            value.count,
            list,
            UnsafeMutableRawPointer(bitPattern: tag)
        )
        guard error != RD_KAFKA_RESP_ERR_NO_ERROR else { return .queued }
        unsafe rd_kafka_headers_destroy(list)
        switch error {
        case RD_KAFKA_RESP_ERR__QUEUE_FULL: return .full
        case RD_KAFKA_RESP_ERR__FATAL: return .broken
        default: return .refused(KafkaFailure(error))
        }
    }

    /// How many messages are queued or under way, reports that were not polled included.
    package var count: Int { unsafe Int(rd_kafka_outq_len(client)) }

    /// Waits for an event, ``wake()`` or the end of the time, ms.
    package func poll(milliseconds: Int64) -> Event? {
        guard let event = unsafe rd_kafka_queue_poll(queue, Int32(clamping: milliseconds)) else { return nil }
        defer { unsafe rd_kafka_event_destroy(event) }
        switch unsafe rd_kafka_event_type(event) {
        case RD_KAFKA_EVENT_DR: return .reports(unsafe Self.reports(event))
        case RD_KAFKA_EVENT_ERROR:
            if unsafe rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR__FATAL {
                let text = unsafe KafkaFailure.text { unsafe rd_kafka_fatal_error(client, $0, $1) }
                return .fatal(text)
            }
            return .notice(unsafe String(cString: rd_kafka_event_error_string(event)), isError: true)
        case RD_KAFKA_EVENT_LOG:
            var (facility, text): (UnsafePointer<CChar>?, UnsafePointer<CChar>?) = (nil, nil)
            var level: Int32 = 0
            guard unsafe rd_kafka_event_log(event, &facility, &text, &level) == 0, let text = unsafe text else {
                return .reports([])
            }
            return .notice(unsafe String(cString: text), isError: false)
        default: return .reports([])
        }
    }

    /// Ends a wait in ``poll(milliseconds:)``; from any thread.
    package func wake() { unsafe rd_kafka_queue_yield(queue) }

    /// Gives up all that is queued and under way: reports say so.
    package func purge() { unsafe rd_kafka_purge(client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT) }

    // MARK: - Parts

    private func handle(_ name: String) -> OpaquePointer? {
        if let topic = unsafe topics[name] { return unsafe topic }
        let topic = unsafe rd_kafka_topic_new(client, name, nil)
        unsafe topics[name] = unsafe topic
        return unsafe topic
    }

    private static func headers(_ lines: UnsafeRawBufferPointer) -> OpaquePointer? {
        let list = unsafe rd_kafka_headers_new(4)
        var rest = unsafe lines[...]
        while let end = unsafe rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = unsafe UnsafeRawBufferPointer(rebasing: rest[rest.startIndex..<end])
            unsafe rest = unsafe rest[(end + 1)...]
            guard let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")), let start = line.baseAddress else {
                continue
            }
            let name = unsafe start.assumingMemoryBound(to: CChar.self)
            unsafe rd_kafka_header_add(list, name, colon, start + colon + 2, line.count - colon - 2)
        }
        return unsafe list
    }

    private static func reports(_ event: OpaquePointer) -> [Report] {
        let count = unsafe rd_kafka_event_message_count(event)
        return unsafe withUnsafeTemporaryAllocation(
            of: UnsafePointer<rd_kafka_message_t>?.self,
            capacity: count
        ) { messages in
            let got = unsafe rd_kafka_event_message_array(event, messages.baseAddress, count)
            return unsafe messages[..<got].compactMap { message in
                guard let message = unsafe message else { return nil }
                let error = unsafe message.pointee.err
                return unsafe Report(
                    tag: Int(bitPattern: message.pointee._private),
                    failure: error == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaFailure(error),
                    mayHaveArrived: rd_kafka_message_status(message) != RD_KAFKA_MSG_STATUS_NOT_PERSISTED
                )
            }
        }
    }
}

extension KafkaFailure {
    /// Whether a message was given up because it became too old.
    package var isExpiry: Bool { code == RD_KAFKA_RESP_ERR__MSG_TIMED_OUT.rawValue }

    /// Whether a message was given up by ``KafkaProducer/purge()``.
    package var isPurge: Bool {
        code == RD_KAFKA_RESP_ERR__PURGE_QUEUE.rawValue || code == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT.rawValue
    }

    /// Whether a message is one that no broker will ever take, whatever changes there.
    package var isOfMessage: Bool {
        [
            RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_MSG, RD_KAFKA_RESP_ERR_INVALID_RECORD,
            RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE,
            RD_KAFKA_RESP_ERR__INVALID_ARG, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP,
        ].contains { $0.rawValue == code }
    }
}
