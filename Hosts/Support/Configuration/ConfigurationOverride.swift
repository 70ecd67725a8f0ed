internal import TextEncoding

/// One `key=value` of the command line that changes a single key of the configuration.
struct ConfigurationOverride {
    /// The texts that stand for one.
    static let form = ValueForm<String>("KEY=VALUE") { text throws(UnfitValue) in
        _ = try ConfigurationOverride(text)
        return text
    }

    private let key: String
    private let value: JSONValue
    private let option: String

    /// Reads one; `shown` is what explanations and messages have of the text.
    init(_ text: String, shown: String? = nil) throws(UnfitValue) {
        option = "--set " + (shown ?? text)
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw UnfitValue(expected: "KEY=VALUE, for example plugins.NAME.enabled=false")
        }
        key = String(text[..<sign])
        let valueText = String(text[text.index(after: sign)...])
        do throws(JSONParseError) {
            value = try JSONParser(.json5).parse(valueText)
        } catch {
            // A text that begins like JSON was meant as JSON; any other is a string without its quotes.
            if let first = valueText.first, "{[\"'".contains(first) {
                throw UnfitValue(expected: "a value in JSON5 behind the =: \(error.message)")
            }
            value = .string(valueText)
        }
    }

    func apply(to source: inout ConfigurationSource) throws(ConfigurationError) {
        if key.hasPrefix("plugins."), key != "plugins.fixed" {
            let rest = key.dropFirst("plugins.".count)
            let instances = source.value["plugins"]?.object ?? JSONObject()
            if instances.longestKey(startingPath: rest) == nil {
                let name = String(rest.prefix { $0 != "." })
                let nearest = NearestName.among(instances.keys, to: name)
                throw .unknownInstance(option, name: name, nearest: nearest, known: instances.keys)
            }
        }
        source.value = try replaced(source.value, at: key[...], within: "")
        source.places.set(.commandLine(option), at: key)
    }

    /// The value with the part at the path replaced; objects on the way that are missing are made.
    private func replaced(
        _ whole: JSONValue,
        at path: Substring,
        within outer: String
    ) throws(ConfigurationError) -> JSONValue {
        if path.isEmpty { return value }
        switch whole {
        case .object(var members):
            let step = members.longestKey(startingPath: path) ?? String(path.prefix { $0 != "." })
            let part = members[step] ?? [:]
            members[step] = try replaced(part, at: path.dropFirst(step.count + 1), within: keyPath(outer, step))
            return .object(members)
        case .array(var elements):
            let step = path.prefix { $0 != "." }
            guard let index = Int(step), elements.indices.contains(index) else {
                let count = ReadableNumber.counted(elements.count, "element")
                let problem = "\"\(outer)\" has \(count), and none with the index \"\(step)\""
                throw .badOverride(option, problem: problem)
            }
            let rest = path.dropFirst(step.count + 1)
            elements[index] = try replaced(elements[index], at: rest, within: keyPath(outer, String(step)))
            return .array(elements)
        default: throw .noParts(option, key: outer, found: whole.kind)
        }
    }
}
