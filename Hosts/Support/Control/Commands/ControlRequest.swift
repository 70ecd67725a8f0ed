package import Tally
package import TextEncoding

/// One message of a client: a command, and what its reply is to be recognised by.
package struct ControlRequest: Sendable {
    /// What the reply repeats; nil when the message has none.
    package let id: JSONValue?
    /// The command, or what is wrong with the message.
    package let command: Result<ControlCommand, ControlError>

    /// Reads a line without its end; an `id` is kept also where the rest is wrong.
    package init(_ line: [UInt8]) {
        var id: JSONValue?
        do throws(ControlError) {
            let members = try Self.members(line)
            if let given = members["request_id"], given.int != nil || (given.string?.utf8.count ?? .max) <= 64 {
                id = given
            }
            command = .success(try Self.command(members, hasID: id != nil))
        } catch {
            command = .failure(error)
        }
        self.id = id
    }

    private static func members(_ line: [UInt8]) throws(ControlError) -> JSONObject {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONParser(maximumDepth: 16).parse(line)
        } catch {
            throw ControlError(kind: .invalidMessage, "the message is not JSON: \(error)")
        }
        guard let members = value.object else {
            throw ControlError(kind: .invalidMessage, "the message has to be a JSON object, found \(value.kind)")
        }
        return members
    }

    private static func command(_ members: JSONObject, hasID: Bool) throws(ControlError) -> ControlCommand {
        if members["request_id"] != nil, !hasID {
            throw ControlError(
                kind: .invalidMessage,
                "\"request_id\" has to be an integer, or a string of at most 64 bytes"
            )
        }
        if let key = members.keys.first(where: { $0 != "command" && $0 != "request_id" }) {
            throw ControlError(kind: .invalidMessage, "the message has an unknown member \"\(key.prefix(40))\"")
        }
        guard let command = members["command"] else {
            throw ControlError(kind: .invalidMessage, "the message has no \"command\"")
        }
        return try ControlCommand(command)
    }
}
