extension Expression {
    /// Reads a text that holds one expression.
    public init(parsing text: String) throws(Problem) {
        var parser = ExpressionParser(text)
        self = try parser.parse()
    }
}

/// Reads an expression: `||` binds least, then `&&`, `!`, a comparison.
private struct ExpressionParser {
    private static let deepest = 64
    /// How many names and values there may be: all of them may be evaluated for each event.
    private static let longest = 1_000

    private let characters: [Character]
    private var place = 0
    private var depth = 0
    private var operands = 0

    init(_ text: String) { characters = Array(text) }

    /// Reads a text that holds one expression.
    mutating func parse() throws(Expression.Problem) -> Expression {
        let expression = try either()
        skipSpace()
        guard place == characters.count else {
            throw problem("expected &&, || or the end, found \"\(characters[place])\"")
        }
        return expression
    }

    // MARK: - By precedence

    private mutating func either() throws(Expression.Problem) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw problem("too many parentheses and ! within each other") }
        var parts = [try both()]
        while skip("||") { parts.append(try both()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func both() throws(Expression.Problem) -> Expression {
        var parts = [try negation()]
        while skip("&&") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func negation() throws(Expression.Problem) -> Expression {
        var isNegated = false
        while !isNext("!=") && skip("!") { isNegated.toggle() }
        let expression = try comparison()
        return isNegated ? .not(expression) : expression
    }

    private mutating func comparison() throws(Expression.Problem) -> Expression {
        let left = try operand()
        for comparator in Expression.Comparator.allCases where skip(comparator.rawValue) {
            let right = try operand()
            if comparator == .like, case .literal(.string(let pattern)) = right { return .fits(left, Glob(pattern)) }
            return .comparison(comparator, left, right)
        }
        if isNext("=") { throw problem("= compares nothing; write ==") }
        return left
    }

    private mutating func operand() throws(Expression.Problem) -> Expression {
        skipSpace()
        operands += 1
        guard operands <= Self.longest else { throw problem("there are more than \(Self.longest) names and values") }
        guard place < characters.count else { throw problem("a name, a text or a number is missing") }
        let character = characters[place]
        if skip("(") {
            let expression = try either()
            guard skip(")") else { throw problem("the parenthesis is not closed") }
            return expression
        }
        if character == "\"" || character == "'" { return .literal(.string(try text(character))) }
        if character.isNumber || character == "-" { return .literal(try number()) }
        guard character.isLetter || character == "_" else {
            throw problem("expected a name, a text in quotes or a number, found \"\(character)\"")
        }
        let word = word { $0.isLetter || $0.isNumber || "_.-".contains($0) }
        switch word {
        case "true": return .literal(true)
        case "false": return .literal(false)
        case "null": return .literal(.null)
        default: return .name(word)
        }
    }

    // MARK: - Characters

    private mutating func text(_ quote: Character) throws(Expression.Problem) -> String {
        let begin = place
        place += 1
        var text = ""
        while place < characters.count {
            var character = characters[place]
            place += 1
            if character == quote { return text }
            if character == "\\", place < characters.count {
                character = characters[place]
                place += 1
            }
            text.append(character)
        }
        place = begin
        throw problem("the text has no closing \(quote)")
    }

    private mutating func number() throws(Expression.Problem) -> JSONValue {
        let begin = place
        let word = word { $0.isNumber || $0.isLetter || "+-.".contains($0) }
        if let whole = Int64(word) { return .int(whole) }
        if let number = Double(word), number.isFinite { return .double(number) }
        place = begin
        throw problem("\(word) is no number")
    }

    private mutating func word(_ belongs: (Character) -> Bool) -> String {
        let begin = place
        while place < characters.count, belongs(characters[place]) { place += 1 }
        return String(characters[begin..<place])
    }

    private mutating func skipSpace() {
        while place < characters.count, characters[place].isWhitespace { place += 1 }
    }

    private mutating func skip(_ sign: String) -> Bool {
        guard isNext(sign) else { return false }
        place += sign.count
        return true
    }

    private mutating func isNext(_ sign: String) -> Bool {
        skipSpace()
        return characters[place...].starts(with: sign)
    }

    private func problem(_ message: String) -> Expression.Problem {
        Expression.Problem(message: message, column: place + 1)
    }
}
