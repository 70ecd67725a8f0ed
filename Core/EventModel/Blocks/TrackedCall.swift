/// A track call as a value: what reports of a player elsewhere, or signals of one here, come to.
package struct TrackedCall: Equatable, Sendable {
    /// When it happened, us: since 1970 by a collector's clock, or by that of the signals.
    package var time: Int64
    /// Which call it is.
    package var type: EventType
    /// What the player reported with it.
    package var state: ReportedState
    /// The event's attributes, in their order.
    package var attributes: [Attribute]

    /// One attribute: of the vocabulary, or of the player's own.
    package struct Attribute: Equatable, Sendable {
        /// The attribute's name: one of the vocabulary is that attribute.
        package let name: String
        /// Its value.
        package let value: PlainValue

        package init(_ name: String, _ value: PlainValue) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ type: EventType,
        at time: Int64,
        state: ReportedState = ReportedState(),
        attributes: [Attribute] = []
    ) {
        self.type = type
        self.time = time
        self.state = state
        self.attributes = attributes
    }

    /// Adds an attribute, unless there is no value.
    package mutating func set(_ name: String, _ value: PlainValue?) {
        if let value { attributes.append(Attribute(name, value)) }
    }

    /// Writes the call as an event's block, but for its time.
    ///
    /// - Returns: the block's bytes, nil when they are more than the memory holds. An attribute that breaks a limit is
    ///   left out.
    package func write(to writer: inout BlockWriter) -> Int? {
        unsafe state.write(to: writer.state)
        for attribute in attributes {
            var name = attribute.name
            name.withUTF8 { bytes in
                guard let start = bytes.baseAddress else { return }
                _ = unsafe writer.set(named: UTF8Text(start: start, count: bytes.count), attribute.value)
            }
        }
        return writer.finish(type: type)
    }
}
