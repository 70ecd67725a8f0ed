/// Faults for the requests whose path matches.
package struct FaultRule: Sendable, Equatable {
    /// The paths that the rule is for.
    package let pattern: PathPattern
    /// What goes wrong.
    package let faults: Faults
    /// How many matching requests suffer before all goes well; nil stands for every one.
    package let limit: Int?

    /// Makes a rule.
    package init(_ pattern: PathPattern, _ faults: Faults, limit: Int? = nil) {
        self.pattern = pattern
        self.faults = faults
        self.limit = limit
    }

    /// Reads a rule such as `*.m4s=status:404` or `/a.mp4=latency:200,cut:10000,first:2`.
    package init(parsing text: String) throws(OptionError) {
        guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
            throw .badFault(text, "it is not of the form GLOB=FAULT")
        }
        var faults = Faults()
        var limit: Int?
        for part in text[text.index(after: equals)...].split(separator: ",", omittingEmptySubsequences: false) {
            let fields = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if part == "refuse" {
                faults.refuses = true
                continue
            }
            guard fields.count == 2, ["status", "latency", "cut", "stall", "first"].contains(fields[0]) else {
                throw .badFault(
                    text,
                    "'\(part)' is not one of status:CODE, latency:MS, cut:BYTES, stall:BYTES, refuse and first:COUNT"
                )
            }
            guard let number = Int(fields[1]), number >= 0 else {
                throw .badFault(text, "'\(fields[1])' is not a whole number from 0 on")
            }
            switch fields[0] {
            case "status":
                guard (200...599).contains(number) else {
                    throw .badFault(text, "\(number) is not a status from 200 to 599")
                }
                faults.status = number
            case "latency": faults.latencyMilliseconds = number
            case "cut": faults.cutAfter = number
            case "stall": faults.stallAfter = number
            default: limit = number
            }
        }
        guard faults != Faults() else {
            throw .badFault(text, "it says for how many requests but not what goes wrong")
        }
        self.init(PathPattern(String(text[..<equals])), faults, limit: limit)
    }
}
