import Testing
import TextEncoding

/// What an expression of `--where` or of a delivery rule says of some values.
struct ExpressionTests {
    private struct Values: ExpressionValues {
        func value(of name: String) -> JSONValue? {
            switch name {
            case "four": .int(4)
            case "half": .double(0.5)
            case "whole": .double(4)
            case "text": .string("news-7")
            case "quoted": .string(#"a"b"#)
            case "yes": .bool(true)
            case "no": .bool(false)
            default: nil
            }
        }
    }

    private func holds(_ text: String) throws -> Bool { try Expression(parsing: text).holds(Values()) }

    @Test(
        "Numbers compare by their value, whole or not, texts by their bytes, and nothing else has an order",
        arguments: [
            ("four == whole", true), ("four == 4.0", true), ("four != whole", false), ("four >= 4", true),
            ("four > 4", false), ("four <= 4", true), ("four < 4", false), ("half < four", true),
            ("half >= four", false),
            ("text >= 'news-7'", true), ("text > 'news-10'", true), ("text < 5", false), ("text >= 5", false),
            ("four == '4'", false), ("four != '4'", true), ("yes >= no", false), ("absent == null", true),
            ("absent < 1", false), ("text ~ 'news-?'", true), ("text ~ 'news'", false), ("four ~ '*'", false),
        ]
    )
    func comparisons(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test(
        "|| binds least, then &&, then !, then a comparison, and parentheses go before",
        arguments: [
            ("yes || yes && no", true), ("(yes || yes) && no", false), ("no && no || yes", true),
            ("!no && no", false), ("!(no && no)", true), ("!four == 5", true), ("!!yes", true), ("!!no", false),
            ("!!!no", true), ("four != 5 && !no", true),
        ]
    )
    func precedence(text: String, expected: Bool) throws {
        #expect(try holds(text) == expected)
    }

    @Test("A text stands in quotes of either kind, and a backslash takes the next character as it is")
    func texts() throws {
        #expect(try holds(#"quoted == "a\"b""#))
        #expect(try holds(#"quoted == 'a"b'"#))
        #expect(try holds(#"'\'' == "'""#))
        #expect(try holds(#"'\\' != '\\\\'"#))
    }

    @Test("More than 64 parentheses within each other, or more than 1,000 names and values, are refused")
    func deep() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "(", count: count) + "yes" + String(repeating: ")", count: count)
        }
        #expect(try holds(nested(63)))
        #expect(throws: Expression.Problem.self) { try holds(nested(64)) }
        func many(_ count: Int) -> String { Array(repeating: "no", count: count).joined(separator: "||") }
        #expect(try !holds(many(1_000)))
        #expect(throws: Expression.Problem.self) { try holds(many(1_001)) }
    }
}
