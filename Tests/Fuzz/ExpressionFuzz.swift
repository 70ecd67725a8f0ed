import TextEncoding

// See Tests/Fuzz/run.

/// The names of an expression stand for one value or the next, by their length.
private struct SomeValues: ExpressionValues {
    let values: [JSONValue?]
    let place: Int

    func value(of name: String) -> JSONValue? {
        values[name.utf8.count % 3 == 0 ? place : (place + 1) % values.count]
    }
}

/// Reads bytes from the fuzzer as an expression, and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExpression(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 0 else { return 0 }
    let text = unsafe String(decoding: UnsafeBufferPointer(start: data, count: count), as: UTF8.self)
    let parsed: Expression
    do throws(Expression.Problem) {
        parsed = try Expression(parsing: text)
    } catch {
        if error.column < 1 || error.column > text.count + 1 { fatalError("a problem at column \(error.column)") }
        if error.message.isEmpty { fatalError("a problem without words") }
        return 0
    }
    let values: [JSONValue?] = [nil, .null, true, .int(-3), .double(0.5), "live", .array(["a"]), .object(["a": 1])]
    for place in values.indices {
        let lookup = SomeValues(values: values, place: place)
        let holds = parsed.holds(lookup)
        if holds != parsed.holds(lookup) { fatalError("it holds once, and once it does not") }
        if Expression.not(parsed).holds(lookup) == holds { fatalError("it holds, and so does its opposite") }
        if Expression.all([parsed, parsed]).holds(lookup) != holds { fatalError("twice is not once") }
    }
    return 0
}
