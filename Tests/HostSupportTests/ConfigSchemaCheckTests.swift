import HostSupport
import Testing
import TextEncoding

struct ConfigSchemaCheckTests {
    private let check = ConfigSchemaCheck([
        "type": "object", "required": ["url"], "additionalProperties": false,
        "properties": [
            "url": ["type": "string", "description": "Where to.", "$comment": "never", "maxLength": 8],
            "word": ["type": "string", "minLength": 2, "pattern": "^[a-z]+$"],
            "matches": ["format": "regex"],
            "heartbeatSeconds": ["type": "integer", "minimum": 1, "maximum": 60, "default": 10],
            "ratio": ["type": ["number", "null"], "minimum": 0.5],
            "mode": ["enum": ["fast", "slow", 3]],
            "tags": ["type": "array", "items": ["type": "string"], "minItems": 1, "maxItems": 3],
            "labels": [
                "type": "object", "additionalProperties": ["type": "boolean"], "minProperties": 1, "maxProperties": 2,
            ],
            "nested": ["properties": ["on": ["type": "boolean", "default": true]]],
        ],
    ])

    @Test("What the schema allows is not reported")
    func allowed() {
        let value: JSONValue = [
            "url": "x", "heartbeatSeconds": 60, "ratio": nil, "mode": 3.0, "tags": ["a"], "labels": ["b": true],
            "nested": ["free": 1], "word": "ab", "matches": "a|b",
        ]
        #expect(check.violations(in: value).isEmpty)
        #expect(check.violations(in: ["url": "", "heartbeatSeconds": 1.0, "ratio": 0.5]).isEmpty)
        #expect(check.violations(in: ["url": "ééééééé\u{1F600}", "tags": ["a", "b", "c"]]).isEmpty)
    }

    @Test(
        "What it does not allow is reported with the key, what was found and what is expected",
        arguments: [
            ([], ["found an array, expected an object"]),
            ([:], ["the key \"url\" is missing; add it"]),
            (
                ["url": 1, "heartbeatSeconds": 0],
                [
                    "url: found an integer 1, expected a string",
                    "heartbeatSeconds: found an integer 0, expected 1 or more",
                ]
            ),
            (
                ["url": "", "heartbeatSeconds": 1.5],
                ["heartbeatSeconds: found a number 1.5, expected an integer"]
            ),
            (["url": "", "heartbeatSeconds": 61], ["heartbeatSeconds: found an integer 61, expected 60 or less"]),
            (["url": "", "ratio": "a"], ["ratio: found a string \"a\", expected a number or null"]),
            (["url": "", "ratio": 0.25], ["ratio: found a number 0.25, expected 0.5 or more"]),
            (
                ["url": "", "mode": "medium"],
                ["mode: found a string \"medium\", expected one of \"fast\", \"slow\", 3"]
            ),
            (
                ["url": "", "tags": ["a", 1, nil]],
                ["tags.1: found an integer 1, expected a string", "tags.2: found null, expected a string"]
            ),
            (["url": "", "labels": ["x": 0]], ["labels.x: found an integer 0, expected true or false"]),
            (["url": "123456789"], ["url: found a string of 9 characters, expected 8 or less"]),
            (["url": "", "word": "a"], ["word: found a string of 1 character, expected 2 or more"]),
            (["url": "", "word": "ab-"], ["word: found a string \"ab-\", expected a string that matches ^[a-z]+$"]),
            (["url": "", "matches": "("], ["matches: found a string \"(\", expected a regular expression"]),
            (["url": "", "tags": []], ["tags: found an array of 0 elements, expected 1 or more"]),
            (["url": "", "tags": ["", "", "", ""]], ["tags: found an array of 4 elements, expected 3 or less"]),
            (["url": "", "labels": [:]], ["labels: found an object of 0 members, expected 1 or more"]),
            (
                ["url": "", "labels": ["a": true, "b": true, "c": 1]],
                ["labels: found an object of 3 members, expected 2 or less"]
            ),
            (
                ["url": "", "hartbeatSeconds": 1],
                ["hartbeatSeconds: the key \"hartbeatSeconds\" is not known; did you mean \"heartbeatSeconds\"?"]
            ),
        ] as [(JSONValue, [String])]
    )
    func refused(value: JSONValue, messages: [String]) {
        #expect(check.violations(in: value).map(\.message) == messages)
    }

    @Test("Defaults are filled in where keys are missing, and nowhere else")
    func defaults() {
        #expect(
            check.fillingDefaults(in: ["url": "x", "nested": [:]]) == [
                "url": "x", "nested": ["on": true], "heartbeatSeconds": 10,
            ]
        )
        #expect(check.fillingDefaults(in: ["heartbeatSeconds": 3]) == ["heartbeatSeconds": 3])
    }

    @Test("A text that is no schema is the schema's error")
    func badSchema() {
        #expect {
            try ConfigSchemaCheck(text: "{")
        } throws: { error in
            (error as? ConfigSchemaCheck.SchemaError)?.message
                == "the configuration schema is not JSON: 1:2: the text ends inside an object"
        }
        #expect(throws: ConfigSchemaCheck.SchemaError.notAnObject(found: "an array")) {
            try ConfigSchemaCheck(text: "[]")
        }
        let bad = #"{"properties": {"pattern": {}, "a": {"items": {"pattern": "("}}}}"#
        #expect(throws: ConfigSchemaCheck.SchemaError.badPattern("(")) { try ConfigSchemaCheck(text: bad) }
        #expect(throws: Never.self) { try ConfigSchemaCheck(text: "{}") }
    }
}
