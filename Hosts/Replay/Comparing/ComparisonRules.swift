internal import TextEncoding

/// Which differences between two outputs do not count.
struct ComparisonRules {
    /// Where a rule applies: a pattern for paths and, in front of a colon, one for kinds.
    struct Place: Sendable {
        private let kind: Glob?
        private let path: Glob
        private let members: Glob

        init?(_ text: Substring) {
            let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let path = words.last, words.allSatisfy({ !$0.isEmpty }) else { return nil }
            kind = words.count == 2 ? Glob(words[0]) : nil
            self.path = Glob(path)
            members = Glob(path + ".*")
        }

        /// Whether the path, or a member that it lies in, is meant.
        func has(_ path: String, kind: String) -> Bool {
            if let wanted = self.kind, !wanted.matches(kind) { return false }
            return self.path.matches(path) || members.matches(path)
        }
    }

    /// How much numbers at a place may differ.
    struct Tolerance: Sendable {
        let place: Place
        let amount: Double
        let isRelative: Bool

        init?(_ text: String) {
            guard let sign = text.lastIndex(of: "="), let place = Place(text[..<sign]) else { return nil }
            var number = text[text.index(after: sign)...]
            isRelative = number.hasSuffix("%")
            if isRelative { number.removeLast() }
            guard let amount = Double(number), amount.isFinite, amount >= 0 else { return nil }
            self.place = place
            self.amount = amount
        }

        func allows(_ left: Double, _ right: Double) -> Bool {
            abs(left - right) <= (isRelative ? amount / 100 * max(abs(left), abs(right)) : amount)
        }
    }

    /// What does not count.
    var ignored: [Place] = []
    /// What may differ, by how much.
    var tolerances: [Tolerance] = []

    /// Whether what stands at the path does not count.
    func ignores(_ path: String, kind: String) -> Bool {
        ignored.contains { $0.has(path, kind: kind) }
    }

    /// Whether two numbers at the path count as the same.
    func allows(_ left: Double, _ right: Double, at path: String, kind: String) -> Bool {
        left == right || tolerances.contains { $0.place.has(path, kind: kind) && $0.allows(left, right) }
    }

    /// Whether two times are one moment for lines of a kind.
    func isSameMoment(_ left: Int64, _ right: Int64, kind: String) -> Bool {
        left == right || allows(Double(left), Double(right), at: "t_us", kind: kind) || ignores("t_us", kind: kind)
    }
}
