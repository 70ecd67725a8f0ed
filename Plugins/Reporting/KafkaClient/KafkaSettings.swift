internal import CRdKafka

/// What a client is configured with: librdkafka's own names and values, in order; the last of a name holds.
package struct KafkaSettings: Sendable {
    private var values: [(name: String, value: String)] = []

    /// What librdkafka has by default.
    package init() {}

    /// Sets a property; librdkafka says what is wrong with it.
    package mutating func set(_ name: String, _ value: String) throws(KafkaFailure) {
        let conf = KafkaConf()
        try conf.set(name, value)
        values.append((name, value))
    }

    /// A configuration for one client.
    func conf() throws(KafkaFailure) -> KafkaConf {
        let conf = KafkaConf()
        for (name, value) in values { try conf.set(name, value) }
        return conf
    }
}

/// librdkafka's configuration, until a client owns it.
@safe final class KafkaConf {
    private var pointer: OpaquePointer?

    init() { unsafe pointer = unsafe rd_kafka_conf_new() }

    deinit { if let pointer = unsafe pointer { unsafe rd_kafka_conf_destroy(pointer) } }

    func set(_ name: String, _ value: String) throws(KafkaFailure) {
        var result = RD_KAFKA_CONF_OK
        let text = unsafe KafkaFailure.text { text, size in
            result = unsafe rd_kafka_conf_set(pointer, name, value, text, size)
        }
        guard result == RD_KAFKA_CONF_OK else { throw KafkaFailure(text) }
    }

    /// Has these events come to the client's queue in place of callbacks.
    func enable(events: Int32) { unsafe rd_kafka_conf_set_events(pointer, events) }

    /// Has changes of a group's partitions go to a function, with `member`.
    func rebalance(
        _ member: UnsafeMutableRawPointer,
        _ body:
            @convention(c) (
                OpaquePointer?, rd_kafka_resp_err_t, UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
                UnsafeMutableRawPointer?
            ) -> Void
    ) {
        unsafe rd_kafka_conf_set_opaque(pointer, member)
        unsafe rd_kafka_conf_set_rebalance_cb(pointer, body)
    }

    /// Makes a client, which owns the configuration then.
    func client(_ kind: rd_kafka_type_t) throws(KafkaFailure) -> OpaquePointer {
        var made: OpaquePointer?
        let text = unsafe KafkaFailure.text { text, size in
            unsafe made = unsafe rd_kafka_new(kind, pointer, text, size)
        }
        guard let made = unsafe made else { throw KafkaFailure(text) }
        unsafe pointer = nil
        return unsafe made
    }
}
