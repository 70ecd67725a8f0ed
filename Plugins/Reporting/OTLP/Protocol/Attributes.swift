internal import EventModel

/// Attributes of a resource, a scope, a record, a span or a point as messages.
enum Attributes {
    /// A value under a name.
    static func pair(_ name: String, _ value: Message) -> Message {
        Message((KeyValueFields.key, .text(name)), (KeyValueFields.value, .message(value)))
    }

    /// A text under a name.
    static func pair(_ name: String, _ text: String) -> Message { pair(name, message(text)) }

    /// A text as a value.
    static func message(_ text: String) -> Message { Message((AnyValueFields.text, .text(text))) }

    /// A number as a value.
    static func message(_ number: Int64) -> Message { Message((AnyValueFields.integer, .integer(number))) }

    /// A truth as a value.
    static func message(_ truth: Bool) -> Message { Message((AnyValueFields.truth, .truth(truth))) }

    /// All attributes of a block as one value: members under their names.
    static func members(_ attributes: AttributeList, personal: Bool) -> Message {
        var members: [Message] = []
        for attribute in attributes where personal || !attribute.isPersonal {
            members.append(pair(attribute.name.string, message(attribute.value)))
        }
        return Message((AnyValueFields.members, .message(Message((AnyValueFields.values, .list(members))))))
    }

    /// A value of the data model; what this version does not know is none.
    static func message(_ value: ValueView) -> Message {
        switch value {
        case .null, .unknown: return Message()
        case .bool(let truth): return message(truth)
        case .int(let number): return message(number)
        case .double(let number): return Message((AnyValueFields.number, .number(number)))
        case .string(let text): return message(text.string)
        case .bytes(let bytes): return Message((AnyValueFields.bytes, .bytes(unsafe Array(bytes.bytes))))
        case .list(let list):
            let values = Message((AnyValueFields.values, .list(list.map { message($0.value) })))
            return Message((AnyValueFields.array, .message(values)))
        }
    }
}
