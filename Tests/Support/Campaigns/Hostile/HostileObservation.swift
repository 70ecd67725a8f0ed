internal import TextEncoding

/// How a program ended.
package enum ProgramEnding: Sendable, Equatable, CustomStringConvertible {
    /// With the exit code, or the signal as a negative number.
    case code(Int32)
    /// It did not, and was killed.
    case hung

    package var description: String {
        switch self {
        case .code(let code): code < 0 ? "signal \(-code)" : "\(code)"
        case .hung: "hung"
        }
    }

    func isOne(of codes: [Int32]) -> Bool {
        if case .code(let code) = self { codes.contains(code) } else { false }
    }
}

/// What came of a playback with a hostile tracker, and of the next one.
package struct HostileObservation: Sendable {
    /// How the player ended.
    package var first = ProgramEnding.hung
    /// What standard error had of the tracker, or of an error.
    package var message: [String] = []
    /// What is wrong with the archive's lines; that the last one is cut off is not.
    package var damage: [String] = []
    /// Whether the archive has its run's end.
    package var isWhole = false
    /// Whether the media was played to its end.
    package var isComplete = false
    /// Whether events were refused because nobody fetched them.
    package var hasLostEvents = false
    /// The longest time between two lines of the archive, ms.
    package var longestGapMs: Int64 = 0
    /// The time of the archive's last line, us.
    var lastTimeUs: Int64 = 0
    /// How many lines the other trackers' outputs have.
    package var otherLines = 0
    /// How the others' outputs differ from their replay; nil when they do not.
    package var difference: String?
    /// How the next start with the same configuration ended.
    package var next = ProgramEnding.hung
    /// Whether that one played to the end, with an archive that is whole.
    package var isNextWhole = false
    /// Whether the file was left out by then.
    package var isQuarantined = false

    /// Nothing has come of it yet.
    package init() {}

    /// Whether a line of an output was said behind the end of an archive that was cut off: a replay does not come to it.
    func isBehindArchive(_ line: String) -> Bool {
        !isWhole && (try? JSONParser().parse(line))?["t_us"]?.int ?? 0 >= lastTimeUs
    }

    /// What is not as it has to be, a sentence each; nothing may be missing for `mostGapMs` from the archive, or for any time
    /// where that is nil, because the machine is too busy to say.
    package func problems(of kind: HostileKind, as outcome: HostileKind.Outcome, mostGapMs: Int64?) -> [String] {
        var problems: [String] = []
        func demand(_ holds: Bool, _ problem: @autoclosure () -> String) {
            if !holds { problems.append(problem()) }
        }
        func demandWhole(waitingMs: Int64 = 0) {
            demand(isWhole, "the archive has no end")
            demand(damage.isEmpty, "the archive is damaged: \(damage.first ?? "")")
            demand(!hasLostEvents, "events were lost")
            if let mostGapMs {
                demand(longestGapMs <= mostGapMs + waitingMs, "the archive has nothing for \(longestGapMs) ms")
            }
            demand(difference == nil, "others do not equal their replay: \(difference ?? "")")
            demand(otherLines > 0, "the others said nothing")
        }
        switch outcome {
        case .goesOn(let codes):
            demand(first.isOne(of: codes), "ends with \(first)")
            demand(isComplete, "it is not played to its end")
            demandWhole()
            demand(next.isOne(of: codes) && isNextWhole, "the next start ends with \(next)")
            // A file that crashes may be left out after it did so in a process of its own.
            demand(!isQuarantined || kind.isQuarantined || outcome == kind.isolated, "it is in quarantine")
        case .goesOnWithout:
            demand(first.isOne(of: [75]), "ends with \(first)")
            demand(isComplete, "it is not played to its end")
            // Events wait meanwhile and have their times; where nothing happens there is no mark either.
            demandWhole(waitingMs: 2400)
            // Left out of the next start, or tried again, by how far it came.
            demand(next.isOne(of: [0, 75]) && isNextWhole, "the next start ends with \(next)")
        case .stops:
            demand(first == .code(0), "ends with \(first)")
            demandWhole()
        case .dies(let codes, let isTold):
            demand(first.isOne(of: codes), "ends with \(first)")
            demand(damage.isEmpty, "the archive is damaged: \(damage.first ?? "")")
            demand(difference == nil, "others do not equal their replay: \(difference ?? "")")
            // An end without a word accuses the second time, which the next start is.
            demand(isQuarantined || !isTold, "it is not in quarantine")
            guard isTold else { break }
            let call = kind.place == .file ? "" : kind.place.rawValue
            demand(message.contains { $0.contains("hostile") && $0.contains(call) }, "nothing names it")
            demand(next.isOne(of: [0, 75]) && isNextWhole, "the next start ends with \(next)")
        case .harmless(let codes):
            demand(first.isOne(of: codes), "ends with \(first)")
            if first == .code(0) {
                demand(isComplete, "it is not played to its end")
                demandWhole()
            }
            demand(damage.isEmpty, "the archive is damaged: \(damage.first ?? "")")
            demand(difference == nil, "others do not equal their replay: \(difference ?? "")")
        case .unknown: break
        }
        return problems
    }
}

extension HostileObservation: CustomStringConvertible {
    /// One line for people.
    package var description: String {
        var words = ["ends with \(first)"]
        words.append(isWhole ? isComplete ? "archive whole" : "archive ended early" : "archive cut off")
        if !damage.isEmpty { words.append("damaged (\(damage[0]))") }
        if hasLostEvents { words.append("events lost") }
        words.append("gap \(longestGapMs) ms")
        words.append(difference.map { "others differ: \($0)" } ?? "others equal (\(otherLines) lines)")
        words.append("next \(next)\(isNextWhole ? ", whole" : "")\(isQuarantined ? ", quarantined" : "")")
        if let first = message.first { words.append("said: \(first)") }
        return words.joined(separator: "; ")
    }
}
