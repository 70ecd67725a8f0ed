internal import EventModel
internal import PluginKit

/// The name of a topic, with places in it that each output fills.
struct TopicName: Sendable, Equatable {
    /// A piece of the name.
    private enum Piece: Equatable {
        case text(String)
        case kind, plugin, instance, name
        case attribute(String)
    }

    /// As it was configured.
    let text: String
    private let pieces: [Piece]

    /// Kafka takes names of so many bytes.
    private static let longest = 249
    /// What stands for something that the output does not say.
    private static let nothing = "none"

    /// A name without places.
    init(_ text: String) { (self.text, pieces) = (text, [.text(text)]) }

    private init(_ text: String, _ pieces: [Piece]) { (self.text, self.pieces) = (text, pieces) }

    /// The name where no place is in it.
    var constant: String? {
        if case .text(let text) = pieces.first, pieces.count == 1 { text } else { nil }
    }

    /// The name for an output; what Kafka's names may not have is `_`.
    func name(for output: OutputView, _ origin: OriginView) -> String {
        if let constant { return constant }
        var bytes: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): bytes.append(contentsOf: text.utf8)
            case .kind: bytes.append(contentsOf: MessageKind(output).rawValue.utf8)
            case .plugin: unsafe Self.append(origin.plugin.bytes, to: &bytes)
            case .instance: unsafe Self.append(origin.instance.bytes, to: &bytes)
            case .name: unsafe Self.append(output.name?.bytes, to: &bytes)
            case .attribute(let name):
                let attributes = output.record?.attributes ?? output.event?.attributes
                guard let attribute = attributes?.first(where: { $0.name == name }) else {
                    bytes.append(contentsOf: Self.nothing.utf8)
                    continue
                }
                unsafe AttributeText.with(attribute) { unsafe Self.append($0, to: &bytes) }
            }
        }
        return String(decoding: bytes.prefix(Self.longest), as: UTF8.self)
    }

    private static func append(_ text: UnsafeRawBufferPointer?, to bytes: inout [UInt8]) {
        guard let text = unsafe text, unsafe !text.isEmpty else { return bytes.append(contentsOf: nothing.utf8) }
        unsafe bytes.append(contentsOf: text.lazy.map { isLegal($0) ? $0 : UInt8(ascii: "_") })
    }

    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// A topic's name in a configuration.
    static let form = ConfigurationForm<String>.text(bytes: 1...longest).map(TopicName.init) { $0.text }
        .checkedPlaces

    /// Reads the places in a name.
    fileprivate static func reading(_ text: String, _ key: String) throws(ConfigurationError) -> TopicName {
        let expected =
            "letters, digits, '.', '_', '-' and the places {kind}, {plugin}, {instance}, {name} and {attribute:NAME}"
        func refusal() -> ConfigurationError { .unusable(key: key, value: "\"\(text)\"", expected: expected) }
        var pieces: [Piece] = []
        var rest = text[...]
        while let first = rest.first {
            if first == "{" {
                guard let end = rest.firstIndex(of: "}") else { throw refusal() }
                let place = rest[rest.index(after: rest.startIndex)..<end]
                switch place {
                case "kind": pieces.append(.kind)
                case "plugin": pieces.append(.plugin)
                case "instance": pieces.append(.instance)
                case "name": pieces.append(.name)
                case _ where place.hasPrefix("attribute:") && place.utf8.count > 10:
                    pieces.append(.attribute(String(place.dropFirst(10))))
                default: throw refusal()
                }
                rest = rest[rest.index(after: end)...]
            } else {
                let end = rest.firstIndex(of: "{") ?? rest.endIndex
                guard rest[..<end].utf8.allSatisfy(isLegal) else { throw refusal() }
                pieces.append(.text(String(rest[..<end])))
                rest = rest[end...]
            }
        }
        guard ![".", ".."].contains(text) else { throw refusal() }
        return TopicName(text, pieces)
    }
}

extension ConfigurationForm where Value == TopicName {
    /// The form with the places in the name read.
    fileprivate var checkedPlaces: Self {
        ConfigurationForm(
            schema,
            expected: "a string",
            shown: { .string($0.text) },
            read: { [read] value, key throws(ConfigurationError) in
                try TopicName.reading(try read(value, key).text, key)
            }
        )
    }
}

/// What a message is of.
enum MessageKind: String {
    case event, record, beacon, line

    init(_ output: OutputView) {
        self =
            switch output.kind {
            case .record: .record
            case .beacon: .beacon
            case .line: .line
            default: .event
            }
    }
}

extension OutputView {
    /// Type of the event, kind of the record, destination of the beacon.
    fileprivate var name: UTF8Text? {
        switch kind {
        case .record: record?.kind
        case .beacon: beacon?.destination
        case .event: event?.typeName
        default: nil
        }
    }
}
