import PluginKit
import Testing

@Suite("Reading configuration")
struct ConfigurationTests {
    private let value: JSONValue = ["name": "x", "count": 7, "on": true, "nothing": nil, "colour": "red"]

    @Test func valuesAreReadAndAbsentOnesGiveTheDefault() throws {
        #expect(try value.text("name") == "x")
        #expect(try value.text("other", default: "d") == "d")
        #expect(try value.text("nothing", default: "d") == "d")
        #expect(try value.integer("count", in: 0...10, default: 1) == 7)
        #expect(try value.integer("other", default: 1) == 1)
        #expect(try value.flag("on", default: false))
        #expect(try value.choice("colour", of: ["red", "blue"], default: "blue") == "red")
    }

    @Test func everyErrorNamesTheKeyAndWhatWouldDo() {
        #expect(text { _ = try value.text("other") } == #"the key "other" is missing; give it a string"#)
        #expect(text { _ = try value.text("count") } == #"the key "count" has an integer; give it a string"#)
        #expect(
            text { _ = try value.flag("name", default: true) } == #"the key "name" has a string; give it true or false"#
        )
        #expect(
            text { _ = try value.integer("count", in: 0...5, default: 0) }
                == #"the key "count" has the value 7, which cannot be used; give it an integer from 0 to 5"#
        )
        #expect(
            text { _ = try value.choice("colour", of: ["blue", "green"], default: "blue") }
                == #"the key "colour" has the value "red", which cannot be used; give it one of blue, green"#
        )
    }

    private func text(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }
}
