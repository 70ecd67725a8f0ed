internal import HostSupport
internal import TextEncoding

/// A file with rules for comparisons, so that a project keeps them beside its baseline.
///
/// JSON5: `{ignore: ["[KIND:]PATH", ...], tolerance: {"[KIND:]PATH": NUMBER or "NUMBER%", ...}}`.
struct RulesFile {
    /// As `--ignore` takes them.
    private(set) var ignored: [String] = []
    /// As `--tolerance` takes them.
    private(set) var tolerances: [String] = []

    /// No rules.
    static let none = RulesFile()

    private init() {}

    /// Adds the rules of another file.
    mutating func add(_ other: RulesFile) {
        ignored += other.ignored
        tolerances += other.tolerances
    }

    /// Reads a file.
    init(_ path: String) throws(UsageError) {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path)
        } catch {
            throw .unreadable(option: "--rules", path: path, reason: error.reason)
        }
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONParser(.json5).parse(bytes)
        } catch {
            throw Self.bad(path, "JSON5: \(error)")
        }
        guard let rules = value.object else { throw Self.bad(path, "an object with ignore and tolerance") }
        for rule in rules {
            switch (rule.key, rule.value) {
            case ("ignore", .array(let places)):
                for place in places {
                    guard let text = place.string else {
                        throw Self.bad(path, "texts in ignore, such as \"attributes.x\"")
                    }
                    ignored.append(text)
                }
            case ("tolerance", .object(let amounts)):
                for amount in amounts { tolerances.append("\(amount.key)=\(try Self.amount(amount.value, path))") }
            default: throw Self.bad(path, "ignore as a list and tolerance as an object, and found \"\(rule.key)\"")
            }
        }
    }

    private static func amount(_ value: JSONValue, _ path: String) throws(UsageError) -> String {
        switch value {
        case .string(let text): text
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        default: throw bad(path, "numbers or texts such as \"5%\" in tolerance")
        }
    }

    private static func bad(_ path: String, _ expected: String) -> UsageError {
        .badValue(option: "--rules", value: path, expected: expected)
    }
}
