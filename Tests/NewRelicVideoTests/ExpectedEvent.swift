import PluginKit
import TallyTesting
import Testing

/// What is expected of an event: its action, some attributes, and some that must be absent.
struct ExpectedEvent: Sendable {
    let action: String
    var has: [String: PlainValue] = [:]
    var lacks: [String] = []

    init(_ action: String, has: [String: PlainValue] = [:], lacks: [String] = []) {
        self.action = action
        self.has = has
        self.lacks = lacks
    }

    /// Expects that these events came out and no others.
    static func expect(
        _ expected: [ExpectedEvent],
        in events: [FakeHost.Record],
        _ comment: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let name = Comment(rawValue: comment)
        #expect(events.map(\.action) == expected.map(\.action), name, sourceLocation: sourceLocation)
        for (event, expected) in zip(events, expected) {
            for (attribute, value) in expected.has {
                let place = Comment(rawValue: "\(comment): \(attribute) of \(expected.action)")
                #expect(event[attribute] == value, place, sourceLocation: sourceLocation)
            }
            for attribute in expected.lacks {
                let place = Comment(rawValue: "\(comment): \(attribute) of \(expected.action)")
                #expect(event[attribute] == nil, place, sourceLocation: sourceLocation)
            }
        }
    }
}
