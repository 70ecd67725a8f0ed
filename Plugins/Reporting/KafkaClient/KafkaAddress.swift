/// What `kafka://BROKERS/TOPIC?NAME=VALUE&...` names: a topic, and how to read it.
///
/// `run` is the id of the one run that is read, `group` the consumer group that shares the topic, `config` a file of
/// properties; every other name is a property of librdkafka.
package struct KafkaAddress: Sendable, Equatable {
    /// What an address begins with.
    package static let scheme = "kafka://"

    /// Some of the cluster's brokers, separated by commas.
    package let brokers: String
    /// The topic.
    package let topic: String
    /// The run that is read; nil for all.
    package private(set) var run: String?
    /// The consumer group whose members share the topic; nil where all of it is read.
    package private(set) var group: String?
    /// A file with a property a line, `name=value`, for what nobody else is to see; nil for none.
    package private(set) var file: String?
    /// Properties of librdkafka, in order.
    package private(set) var properties: [(name: String, value: String)] = []

    /// Reads an address.
    package init(_ text: String) throws(KafkaFailure) {
        let form =
            "an address is kafka://HOST:PORT[,HOST:PORT]/TOPIC[?run=ID][&group=NAME][&config=FILE][&PROPERTY=VALUE]"
        guard text.hasPrefix(Self.scheme) else { throw KafkaFailure("'\(text)': \(form)") }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "?", maxSplits: 1)
        let place = (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard place.count == 2, !place[0].isEmpty, !place[1].isEmpty else { throw KafkaFailure("'\(text)': \(form)") }
        (brokers, topic) = (String(place[0]), String(place[1]))
        for pair in (parts.count == 2 ? parts[1] : "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count == 2, !sides[0].isEmpty else { throw KafkaFailure("'\(pair)' in '\(text)': \(form)") }
            switch sides[0] {
            case "run": run = sides[1]
            case "group": group = sides[1]
            case "config": file = sides[1]
            default: properties.append((sides[0], sides[1]))
            }
        }
    }

    /// Whether two name the same in the same way.
    package static func == (left: KafkaAddress, right: KafkaAddress) -> Bool {
        left.brokers == right.brokers && left.topic == right.topic && left.run == right.run && left.group == right.group
            && left.file == right.file
            && left.properties.elementsEqual(right.properties) { $0 == $1 }
    }
}
