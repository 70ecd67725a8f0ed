public import EventModel
internal import PluginKit

extension FakeHost {
    /// A record that a tracker emitted.
    public struct Record: Sendable, Equatable {
        /// A named value.
        public struct Attribute: Sendable, Equatable {
            /// The name.
            public let name: String
            /// The value.
            public let value: PlainValue
        }

        /// What kind of thing the tracker says.
        public let kind: String
        /// When it was emitted, us since the run's start.
        public let time: Int64
        /// The attributes in the tracker's order.
        public let attributes: [Attribute]

        /// Makes a record, to compare with or to hand to a reporter.
        public init(kind: String, time: Int64 = 0, attributes: [(String, PlainValue)] = []) {
            self.kind = kind
            self.time = time
            self.attributes = attributes.map { Attribute(name: $0.0, value: $0.1) }
        }

        /// Copies what a plugin lends, without the attributes whose names are not among those to keep.
        init(_ view: RecordView, time: Int64, keeping kept: Set<String>?) {
            kind = view.kind.string
            self.time = time
            attributes = view.attributes.compactMap { attribute in
                let name = attribute.name.string
                guard kept?.contains(name) ?? true else { return nil }
                return Attribute(name: name, value: PlainValue(attribute.value))
            }
        }

        /// The value of an attribute, nil when it has none of that name.
        public subscript(name: String) -> PlainValue? { attributes.first { $0.name == name }?.value }

        /// The names of the attributes, in order.
        public var names: [String] { attributes.map(\.name) }
        /// The values of the attributes, in order.
        public var values: [PlainValue] { attributes.map(\.value) }
    }
}
