extension JSONScanner {
    internal mutating func object() throws(JSONParseError) -> JSONObject {
        try enter()
        var object = JSONObject()
        var seen: Set<String> = []
        try skipSpace()
        while current != UInt8(ascii: "}") {
            let keyOffset = offset
            let key = try key()
            if !seen.insert(key).inserted { throw error(.duplicateKey(key), at: keyOffset) }
            path.append(key)
            record(at: keyOffset)
            try skipSpace()
            try expect(UInt8(ascii: ":"), "a colon after the key \"\(key)\"", inside: "an object")
            try skipSpace()
            object.appendNew(JSONObject.Member(key: key, value: try value()))
            path.removeLast()
            try skipSpace()
            if try !skipComma(before: UInt8(ascii: "}"), container: "an object") { break }
        }
        leave()
        return object
    }

    internal mutating func array() throws(JSONParseError) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        try skipSpace()
        while current != UInt8(ascii: "]") {
            path.append(String(elements.count))
            record(at: offset)
            elements.append(try value())
            path.removeLast()
            try skipSpace()
            if try !skipComma(before: UInt8(ascii: "]"), container: "an array") { break }
        }
        leave()
        return elements
    }

    private mutating func enter() throws(JSONParseError) {
        depth &+= 1
        if depth > maximumDepth { throw error(.tooDeep(limit: maximumDepth), at: offset) }
        offset &+= 1
    }

    private mutating func leave() {
        depth &-= 1
        offset &+= 1
    }

    /// Goes past a comma; false when the container's end stands here instead.
    private mutating func skipComma(before end: UInt8, container: String) throws(JSONParseError) -> Bool {
        if current == end { return false }
        let commaOffset = offset
        let closing = end == UInt8(ascii: "}") ? "\"}\"" : "\"]\""
        try expect(UInt8(ascii: ","), "a comma or \(closing)", inside: container)
        try skipSpace()
        if current == end, !isJSON5 {
            throw error(.needsJSON5("a comma before \(closing) is"), at: commaOffset)
        }
        return true
    }

    private mutating func expect(_ byte: UInt8, _ what: String, inside: String) throws(JSONParseError) {
        if current == byte {
            offset &+= 1
            return
        }
        if current == nil { throw error(.unexpectedEnd(inside: inside), at: offset) }
        throw error(.unexpected(character: found, expected: what), at: offset)
    }

    private mutating func key() throws(JSONParseError) -> String {
        guard let byte = current else { throw error(.unexpectedEnd(inside: "an object"), at: offset) }
        if byte == UInt8(ascii: "\"") { return try string() }
        if isJSON5 {
            return byte == UInt8(ascii: "'") ? try string() : try identifier()
        }
        if byte == UInt8(ascii: "'") { throw error(.needsJSON5("single quotes around a key are"), at: offset) }
        if isIdentifierStart(offset) { throw error(.needsJSON5("a key without quotes is"), at: offset) }
        throw error(.unexpected(character: found, expected: "a key in quotes or \"}\""), at: offset)
    }

    // MARK: Keys without quotes

    private mutating func identifier() throws(JSONParseError) -> String {
        let start = offset
        if !isIdentifierStart(start) {
            throw error(.unexpected(character: found, expected: "a key or \"}\""), at: start)
        }
        while let scalar = scalar(at: offset), isIdentifierPart(scalar.value) {
            offset &+= scalar.length
        }
        let name = text(from: start, to: offset)
        if current == UInt8(ascii: "-") || current == UInt8(ascii: ".") {
            let what = "a colon after the key \"\(name)\" (a key with this character needs quotes)"
            throw error(.unexpected(character: found, expected: what), at: offset)
        }
        return name
    }

    private func isIdentifierStart(_ offset: Int) -> Bool {
        guard let scalar = scalar(at: offset)?.value else { return false }
        return scalar == "$" || scalar == "_" || scalar.properties.isIDStart
    }

    private func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "$" || scalar.properties.isIDContinue || scalar.value == 0x200C || scalar.value == 0x200D
    }
}
