/// A reserved key of CMCD.
package enum CMCDKey: String, CaseIterable, Sendable {
    case ab, bg, bl, br, bs, bsa, bsd, bsda, cdn, cen, cid, cmsdd, cmsds, cs, d, dfa, dl, e, ec, h, lab, lb, ltc, msd
    case mtp, nor, nr, nrr, ot, pb, pr, pt, rc, rtp, sf, sid, smrt, sn, st, sta, su, tab, tb, tbl, tpb, ts
    case ttfb, ttfbb, ttlb, url, v

    /// What the values of a key are.
    enum Kind {
        /// Whole numbers, none below zero, each of which may name an object type.
        case integers
        /// Texts, each of which may name a range of bytes.
        case strings
        /// A whole number; at least zero where it is a count or a length.
        case integer(signed: Bool)
        /// A number in thousandths.
        case decimal
        /// True or false.
        case boolean
        /// One of some words.
        case token([String])
        /// A text of so many characters at most.
        case string(Int)
    }

    /// Where a key may stand.
    enum Place {
        /// In request mode and in event mode.
        case both
        /// In request mode alone.
        case request
        /// In event mode alone.
        case event
        /// On a response received (`rr`).
        case response
        /// On a custom event (`ce`).
        case customEvent
    }

    /// What becomes of a key in a track call.
    enum Use {
        /// It has a word of Tally's vocabulary, or decides on the call.
        case mapped
        /// An attribute of its own.
        case kept
        /// An attribute of its own where all that players say is kept.
        case keptOnRequest
    }

    /// What is declared of a key: one row of the table.
    struct Rule {
        /// Its values in version 2; nil when version 2 does not have it.
        let kind: Kind?
        /// Its values in version 1; nil when version 1 does not have it.
        let first: Kind?
        let place: Place
        let use: Use

        init(_ kind: Kind?, v1 first: Kind? = nil, _ use: Use = .kept, in place: Place = .both) {
            self.kind = kind
            self.first = first
            self.place = place
            self.use = use
        }
    }

    /// The keys by name.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
}

extension CMCDKey {
    private static let count = Kind.integer(signed: false)
    private static let anyText = Kind.string(.max)
    private static let formats = ["d", "h", "s", "o"]
    /// The object types, by which the items of a list are named as well.
    static let objectTypes = ["m", "a", "v", "av", "i", "c", "tt", "k", "o"]

    /// The table of the keys.
    var rule: Rule {
        switch self {
        case .ab, .lab, .lb, .tab, .tbl, .tpb: Rule(.integers, .keptOnRequest)
        case .bg: Rule(.boolean, .mapped)
        case .bl, .mtp: Rule(.integers, v1: Self.count, .mapped)
        case .br: Rule(.integers, v1: .decimal, .mapped)
        case .bs: Rule(.boolean, v1: .boolean)
        case .bsa, .bsd, .bsda: Rule(.integers)
        case .cdn: Rule(.string(128), .mapped)
        case .cen: Rule(.string(64), .mapped, in: .customEvent)
        case .cid: Rule(.string(128), v1: .string(64), .mapped)
        case .cmsdd, .cmsds, .smrt: Rule(Self.anyText, .keptOnRequest, in: .response)
        case .cs: Rule(Self.anyText, .keptOnRequest)
        case .d: Rule(Self.count, v1: Self.count, .mapped)
        case .dfa: Rule(Self.count, .mapped)
        case .dl: Rule(Self.count, v1: Self.count, .keptOnRequest)
        case .e: Rule(.token(CMCDEvent.allCases.map(\.rawValue)), .mapped, in: .event)
        case .ec: Rule(.strings)
        case .h: Rule(.string(128), .mapped, in: .event)
        case .ltc: Rule(Self.count)
        case .msd: Rule(Self.count, .mapped)
        case .nor: Rule(.strings, v1: Self.anyText, .keptOnRequest)
        case .nr: Rule(.boolean)
        case .nrr: Rule(nil, v1: Self.anyText, .keptOnRequest, in: .request)
        case .ot: Rule(.token(Self.objectTypes), v1: .token(Self.objectTypes), .mapped)
        case .pb: Rule(.integers, .mapped)
        case .pr: Rule(.decimal, v1: .decimal, .mapped)
        case .pt: Rule(.integer(signed: true), .mapped)
        case .rc: Rule(Self.count, .mapped, in: .response)
        case .rtp: Rule(Self.count, v1: Self.count, .keptOnRequest)
        case .sf: Rule(.token(Self.formats + ["e"]), v1: .token(Self.formats), .mapped)
        case .sid: Rule(.string(64), v1: .string(64), .mapped)
        case .sn: Rule(Self.count, .keptOnRequest)
        case .st: Rule(.token(["v", "l", "ll"]), v1: .token(["v", "l"]), .mapped)
        case .sta: Rule(.token(CMCDState.allCases.map(\.rawValue)), .mapped)
        case .su: Rule(.boolean, v1: .boolean, .keptOnRequest)
        case .tb: Rule(.integers, v1: .decimal, .keptOnRequest)
        case .ts: Rule(.integer(signed: true), .mapped, in: .event)
        case .ttfb, .ttlb: Rule(Self.count, .mapped, in: .response)
        case .ttfbb: Rule(Self.count, in: .response)
        case .url: Rule(Self.anyText, .mapped, in: .response)
        case .v: Rule(.integer(signed: true), v1: .integer(signed: true), .mapped)
        }
    }
}
