/// One measured value as a line: `name value unit key=value ...`.
struct Figure {
    let name: String
    let value: Double
    let unit: String
    let notes: [(key: String, value: String)]

    init(_ name: String, _ value: Double, _ unit: String, _ notes: [(key: String, value: String)] = []) {
        self.name = name
        self.value = value
        self.unit = unit
        self.notes = notes
    }

    /// Reads a line; nil when it is none.
    init?(line: Substring) {
        let words = line.split(separator: " ")
        guard words.count >= 3, let value = Double(words[1]) else { return nil }
        name = String(words[0])
        self.value = value
        unit = String(words[2])
        notes = words[3...].map { word in
            let parts = word.split(separator: "=", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    func printLine() {
        let notes = notes.map { " \($0.key)=\($0.value)" }.joined()
        print("\(name) \(Figure.text(value)) \(unit)\(notes)")
    }

    /// A number with the digits that matter: three decimals below 10, none above 1000.
    static func text(_ value: Double) -> String {
        let decimals = value.magnitude < 10 ? 3 : value.magnitude < 100 ? 2 : value.magnitude < 1000 ? 1 : 0
        return fixed(value, decimals)
    }

    /// A number with so many decimals.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        var scale = 1
        for _ in 0..<decimals {
            scale *= 10
        }
        let scaled = Int((value.magnitude * Double(scale)).rounded())
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(scaled)" }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
