internal import TextEncoding

/// A request for media, as the access log of a server or a delivery network has it.
package struct LoggedRequest: Equatable, Sendable {
    /// What a log's time is.
    package enum Moment: String, Sendable {
        /// When the request came.
        case start
        /// When its last byte was sent.
        case end
        /// The product does not say.
        case unknown
    }

    /// The log's time, us since 1970.
    package var time: Int64
    /// What that time is.
    package var moment: Moment
    /// What was asked for: a path or a URL, with its query as it was logged.
    package var target: String
    /// The host that was asked; nil when the log does not have it.
    package var host: String?
    /// The status of the answer; 0 without one.
    package var status: Int64?
    /// Bytes that were sent.
    package var bytes: Int64?
    /// How long it took, ms.
    package var duration: Int64?
    /// How long it took to the first byte, ms.
    package var firstByte: Int64?
    /// The headers of CMCD that were logged, by their names.
    package var headers: [Header] = []

    /// A header of CMCD.
    package struct Header: Equatable, Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The times that a log can have, us since 1970: up to the year 9999.
    static let times = 0..<Int64(253_402_300_800_000_000)

    package init(time: Int64, moment: Moment, target: String) {
        self.time = time
        self.moment = moment
        self.target = target
    }

    /// When the answer was there, us since 1970: as near as the log says it.
    package var end: Int64 {
        guard moment == .start, let duration, (0..<86_400_000).contains(duration) else { return time }
        return time + duration * 1000
    }
}

extension LoggedRequest {
    /// The request as one line of JSON, from which ``init(text:)`` makes it again.
    package var text: String {
        var object: JSONObject = ["time": .int(time), "moment": .string(moment.rawValue), "target": .string(target)]
        object["host"] = host.map(JSONValue.string)
        object["status"] = status.map(JSONValue.int)
        object["bytes"] = bytes.map(JSONValue.int)
        object["duration_ms"] = duration.map(JSONValue.int)
        object["first_byte_ms"] = firstByte.map(JSONValue.int)
        if !headers.isEmpty {
            object["headers"] = .array(headers.map { .array([.string($0.name), .string($0.value)]) })
        }
        return JSONValue.object(object).canonicalText
    }

    /// Reads a line that ``text`` made; nil when it is none.
    package init?(text: String) {
        guard let value = try? JSONParser().parse(text), let time = value["time"]?.int, Self.times.contains(time),
            let moment = value["moment"]?.string.flatMap(Moment.init(rawValue:)), let target = value["target"]?.string
        else { return nil }
        self.init(time: time, moment: moment, target: target)
        host = value["host"]?.string
        status = value["status"]?.int
        bytes = value["bytes"]?.int
        duration = value["duration_ms"]?.int
        firstByte = value["first_byte_ms"]?.int
        headers = (value["headers"]?.array ?? []).compactMap { pair in
            guard let name = pair[0]?.string, let value = pair[1]?.string else { return nil }
            return Header(name, value)
        }
    }
}
