internal import CollectedRuns
internal import EventModel
internal import HostSupport
internal import System
internal import Tally
internal import TextEncoding

/// What players say that nobody understands: it is counted, and the first of each word of a tenant is logged.
///
/// Any thread. Words are data of others: only what can be a name is shown, and of so many words no more.
final class UnknownWords: Sendable {
    private struct Known: Hashable {
        let tenant: String
        let word: UnknownWord
    }

    private struct State {
        var counts: [UnknownWord.Kind: UInt64] = [:]
        var told: Set<Known> = []
        var toldOfTenants: [String: Int] = [:]
    }

    /// Of so many words of a tenant the log is told; more are no slips.
    private static let toldPerTenant = 20
    /// The longest word that is shown, bytes.
    private static let longest = 40

    private let state = Lock(State())
    private let log: LogPrinter

    init(_ log: LogPrinter) { self.log = log }

    /// How many lines said such a word, by what it should have been.
    var counts: [UnknownWord.Kind: UInt64] { state.with { $0.counts } }

    /// Counts lines of a tenant that said a word.
    func count(_ words: [UnknownWord], of tenant: String) {
        for word in words {
            let shown = UnknownWord(word.kind, Self.shown(word.text))
            let isNew = state.with { state -> Bool in
                state.counts[word.kind, default: 0] += 1
                guard state.toldOfTenants[tenant] ?? 0 < Self.toldPerTenant,
                    state.told.insert(Known(tenant: tenant, word: shown)).inserted
                else { return false }
                state.toldOfTenants[tenant, default: 0] += 1
                return true
            }
            if isNew { log.show(.warning, "tenant \(tenant): \(Self.text(shown))") }
        }
    }

    /// A word as it may be in a log: what is no plain name may be about a person.
    private static func shown(_ text: String) -> String {
        let isName = text.utf8.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == 0x5F || $0 == 0x2E }
        return isName && text.utf8.count <= longest ? text : ""
    }

    private static func text(_ word: UnknownWord) -> String {
        let name = word.text.isEmpty ? "of characters that no name of Tally has" : word.text
        switch word.kind {
        case .event:
            let nearest = NearestName.among(EventType.wellKnown.map { "\($0.name)" }, to: word.text)
            let hint = word.text.isEmpty ? nil : nearest.map { " (\($0)?)" }
            return "players report an event \(name)\(hint ?? ""), which the data model does not have: it is "
                + "archived, and trackers do not know it. An event of your own is custom, with custom_name."
        case .member:
            return "players send a member \(name), which means nothing and is left out: what is your own goes into "
                + "attributes."
        }
    }
}
