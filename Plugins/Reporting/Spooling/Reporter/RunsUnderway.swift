package import PluginKit

/// What a reporter keeps of each run that is under way: outputs are mostly of the run of the one before.
package struct RunsUnderway<Run> {
    private var others: [String: Run] = [:]
    private var current: (name: String, run: Run)?

    /// None is under way.
    package init() {}

    /// The run of an output, which `make` makes when it is heard of first.
    package mutating func run(of origin: OriginView, _ make: () -> Run) -> Run {
        let name = origin.playerRunID
        if let current {
            if name == current.name { return current.run }
            others[current.name] = current.run
        }
        let text = name.string
        let run = others.removeValue(forKey: text) ?? make()
        current = (text, run)
        return run
    }

    /// Forgets the run of the output before.
    package mutating func endCurrent() { current = nil }

    /// Forgets all, and gives them in the order of their names.
    package mutating func removeAll() -> [Run] {
        if let current { others[current.name] = current.run }
        defer { (others, current) = ([:], nil) }
        return others.sorted { $0.key < $1.key }.map(\.value)
    }
}
