package import Tally
package import TextEncoding

/// What became of a command.
package enum ControlReply: Equatable, Sendable {
    /// It was carried out; what it has to say.
    case success(JSONValue)
    /// It was not.
    case failure(ControlError)

    /// It was carried out, with a sentence for people.
    package static func done(_ note: String, changed: Bool = true) -> ControlReply {
        .success(["changed": .bool(changed), "note": .string(note)])
    }

    /// It was not carried out.
    package static func failure(_ kind: ControlError.Kind, _ message: String) -> ControlReply {
        .failure(ControlError(kind: kind, message))
    }

    /// The line that answers a request; `id` is what the request brought, nil when it had none.
    package func line(id: JSONValue?) -> String {
        var members = JSONObject()
        if let id { members["request_id"] = id }
        switch self {
        case .success(let data):
            members["error"] = "success"
            if !data.isNull { members["data"] = data }
        case .failure(let problem):
            members["error"] = .string(problem.kind.rawValue)
            members["message"] = .string(problem.description)
        }
        return JSONValue.object(members).canonicalText + "\n"
    }

    /// Reads a reply's line; nil when it is none.
    package init?(line: JSONValue) {
        guard let error = line["error"]?.string else { return nil }
        if error == "success" {
            self = .success(line["data"] ?? .null)
            return
        }
        self = .failure(ControlError.Kind(rawValue: error) ?? .refused, line["message"]?.string ?? error)
    }
}
