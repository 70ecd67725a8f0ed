internal import TextEncoding

/// A configuration as its files have it, with every `{"$file": "path"}` replaced by what that file holds.
struct ConfigurationSource {
    var value: JSONValue
    var places: ConfigurationPlaces

    /// Reads a file and the files that it includes.
    static func load(_ path: String) throws(ConfigurationError) -> ConfigurationSource {
        try load(path, namedAt: nil, within: [])
    }

    /// Reads a file that has to hold an object, which is the value of a key.
    static func load(
        _ path: String,
        asObjectFor key: String,
        namedAt place: ConfigurationPlace? = nil
    ) throws(ConfigurationError) -> ConfigurationSource {
        let source = try load(path, namedAt: place, within: [])
        guard source.value.object == nil else { return source }
        let problem = SchemaViolation.Problem.wrongType(found: source.value.kind, expected: "an object")
        throw .form(source.places.place(of: ""), SchemaViolation(path: key, problem: problem))
    }

    /// Reads a file that is named at a place, within files that include one another.
    static func load(
        _ path: String,
        namedAt place: ConfigurationPlace?,
        within outer: [String]
    ) throws(ConfigurationError) -> ConfigurationSource {
        let identity = PathName.resolved(path)
        if let place, let start = outer.firstIndex(of: identity) {
            throw .includeCycle(place, files: outer[start...] + [identity])
        }
        let document = try parsed(path, namedAt: place)
        let start = JSONPosition(line: 1, column: 1, offset: 0)
        let found = document.positions.mapValues { ConfigurationPlace.file(path: path, position: $0) }
        let places = ConfigurationPlaces(whole: .file(path: path, position: start), places: found)
        var source = ConfigurationSource(value: document.value, places: places)
        source.value = try source.including(
            document.value,
            path: "",
            folder: PathName.folder(of: path),
            outer + [identity]
        )
        return source
    }

    private static func parsed(
        _ path: String,
        namedAt place: ConfigurationPlace?
    ) throws(ConfigurationError) -> JSONParser.Document {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path)
        } catch {
            throw .unreadable(path: path, reason: error.reason, namedAt: place)
        }
        do throws(JSONParseError) {
            return try JSONParser(.json5).document(bytes)
        } catch {
            throw .syntax(path: path, error)
        }
    }

    private mutating func including(
        _ value: JSONValue,
        path: String,
        folder: String,
        _ outer: [String]
    ) throws(ConfigurationError) -> JSONValue {
        switch value {
        case .array(let elements):
            var result: [JSONValue] = []
            for (index, element) in elements.enumerated() {
                result.append(try including(element, path: keyPath(path, String(index)), folder: folder, outer))
            }
            return .array(result)
        case .object(var members):
            if let name = members["$file"] {
                return try included(name, beside: members, path: path, folder: folder, outer)
            }
            for member in members {
                let memberPath = keyPath(path, member.key)
                members[member.key] = try including(member.value, path: memberPath, folder: folder, outer)
            }
            return .object(members)
        default: return value
        }
    }

    private mutating func included(
        _ name: JSONValue,
        beside members: JSONObject,
        path: String,
        folder: String,
        _ outer: [String]
    ) throws(ConfigurationError) -> JSONValue {
        let place = places.place(of: keyPath(path, "$file"))
        if let other = members.keys.first(where: { $0 != "$file" }) { throw .includeNotAlone(place, key: other) }
        guard let text = name.string, !text.isEmpty else {
            let problem = SchemaViolation.Problem.wrongType(found: name.kind, expected: "the path of a file")
            throw .form(place, SchemaViolation(path: keyPath(path, "$file"), problem: problem))
        }
        let source = try ConfigurationSource.load(PathName.joined(folder, text), namedAt: place, within: outer)
        places.insert(source.places, at: path)
        return source.value
    }
}
