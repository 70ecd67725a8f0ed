public import EventModel

/// Outputs as text, one line each, in a form in which the same output gives the same bytes.
public struct OutputTranscript: Sendable, Equatable {
    /// One record or beacon.
    public struct Line: Sendable, Equatable {
        /// Run time, us.
        public let time: Int64
        /// The instance that said it.
        public let instance: String
        /// The record's kind, or `beacon`.
        public let kind: String
        /// The id of the session's asset, as the player had said it by then; empty when it is not known.
        public let video: String
        /// Everything about it.
        public let text: String
        /// A record's attributes by name; empty for a beacon.
        public let attributes: [String: PlainValue]
    }

    /// The lines in the order in which they came.
    public var lines: [Line] = []
    /// Events, sessions and runs in the order in which they came.
    public var events: [String] = []

    /// Nothing was put out yet.
    public init() {}

    /// The lines of one instance.
    public func lines(of instance: String) -> [String] { lines.filter { $0.instance == instance }.map(\.text) }

    /// The instances that said something, in the order of their first line.
    public var instances: [String] {
        var seen: [String] = []
        for line in lines where !seen.contains(line.instance) {
            seen.append(line.instance)
        }
        return seen
    }

    /// What differs between two transcripts, for people; nil when they are the same.
    public static func difference(_ left: OutputTranscript, _ right: OutputTranscript) -> String? {
        for index in 0..<max(left.lines.count, right.lines.count) {
            let leftText = index < left.lines.count ? left.lines[index].text : "nothing"
            let rightText = index < right.lines.count ? right.lines[index].text : "nothing"
            if leftText != rightText {
                return
                    "line \(index + 1) of \(left.lines.count) and \(right.lines.count):\n  \(leftText)\n  \(rightText)"
            }
        }
        return nil
    }
}
