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

    @Test func aDeclarationGivesSchemaDefaultsAndReader() throws {
        let inner =
            #"{"type":"object","additionalProperties":false,"required":["id"],"properties":{"#
            + #""id":{"type":"integer","minimum":1,"description":"The id."}}}"#
        #expect(
            Outer.schemaText == #"{"type":"object","additionalProperties":false,"x-needs":["a"],"properties":{"#
                + #""wait_ms":{"type":"integer","minimum":0,"maximum":60,"default":5,"description":"A wait."},"#
                + #""name":{"type":"string","minLength":1},"#
                + #""items":{"type":"array","maxItems":2,"items":"# + inner + "},"
                + #""words":{"type":"array","maxItems":2,"items":{"type":"string"},"minItems":1,"default":["a"]}}}"#
        )
        #expect(try Outer(reading: [:]).wait == 5000)
        let read = try Outer(reading: ["wait_ms": 7, "name": nil, "items": [["id": 3]]])
        #expect(read.wait == 7000 && read.name == nil && read.items.map(\.id) == [3])
    }

    @Test func anErrorInADeclaredConfigurationNamesTheWholeKey() {
        #expect(
            text { _ = try Outer(reading: ["items": [["id": 1], [:]]]) }
                == #"the key "items.1.id" is missing; give it an integer"#
        )
        #expect(
            text { _ = try Outer(reading: ["items": [1]]) }
                == #"the key "items.0" has an integer; give it an object"#
        )
        #expect(
            text { _ = try Outer(reading: ["words": []]) }
                == #"the key "words" has the value 0 elements, which cannot be used; give it at least 1"#
        )
        #expect(
            text { _ = try Outer(reading: ["words": ["a", "b", "c"]]) }
                == #"the key "words" has the value 3 elements, which cannot be used; give it at most 2"#
        )
        #expect(
            text { _ = try SecretPlace(environment: "A", file: "b", at: "key") }
                == #"the key "key" has the value both "environment" and "file", which cannot be used; give it "#
                + "only one of them"
        )
        #expect(
            text { _ = try SecretPlace(environment: "", file: "", at: "key") }
                == #"the key "key" is missing; give it either "environment" or "file""#
        )
        #expect(
            text { _ = try Outer(reading: ["wait_ms": 61]) }
                == #"the key "wait_ms" has the value 61, which cannot be used; give it an integer from 0 to 60"#
        )
        #expect(
            text { _ = try Outer(reading: ["wait_ms": 60, "name": "x"]) }
                == #"the key "name" has the value "x", which cannot be used; give it another one after a long wait"#
        )
    }

    private struct Outer: DeclaredConfiguration {
        var wait: Int64 = 5000
        var name: String?
        var items: [Inner] = []
        var words = ["a"]

        static let remarks: JSONObject = ["x-needs": ["a"]]
        static let keys = [
            Key("wait_ms", \.wait, .integer(0...60).scaled(by: 1000), "A wait."),
            Key("name", \.name, .nonEmptyText("a name")),
            Key("items", \.items, .list(of: .declared, most: 2)),
            Key("words", \.words, .list(of: .text, least: 1, most: 2)),
        ]

        func validate(at _: String) throws(ConfigurationError) {
            guard wait == 60_000, let name else { return }
            throw .unusable(key: "name", value: "\"\(name)\"", expected: "another one after a long wait")
        }
    }

    private struct Inner: DeclaredConfiguration {
        var id = 0
        static let keys = [Key("id", \.id, .integer(1...Int.max), required: true, "The id.")]
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
