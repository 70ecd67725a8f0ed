/// A long test that is repeated with one seed after another.
package protocol Campaign: Sendable {
    /// Runs one round; gives what went wrong, nil when all went well.
    func round(seed: UInt64) async -> String?

    /// How many rounds may run at once.
    var roundsAtOnce: Int { get }

    /// What the rounds so far came to, in lines for people.
    var results: [String] { get }
}

extension Campaign {
    package var roundsAtOnce: Int { 1 }
    package var results: [String] { [] }
}
