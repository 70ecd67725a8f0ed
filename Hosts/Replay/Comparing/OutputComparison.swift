internal import Glibc
internal import HostSupport
internal import TextEncoding

/// Compares two outputs of the reporter `jsonlines`, which it reads side by side.
///
/// Lines are aligned within their group: by time and kind, in order. Lines that are the same to the last byte are not
/// looked into. What waits for its counterpart is bounded; beyond that the longest waiting group counts as complete.
final class OutputComparison {
    /// One of the two outputs.
    private final class Side {
        let reader: LineReader
        var hasEnded = false
        /// Bytes of lines that wait.
        var waiting = 0

        init(_ input: InputFile) {
            reader = LineReader(input)
        }
    }

    /// The lines of one group that wait, of both sides.
    private struct Waiting {
        var left = LineQueue()
        var right = LineQueue()
        var isEmpty: Bool { left.isEmpty && right.isEmpty }
    }

    /// What was compared.
    struct Counts {
        /// Lines that both have, the same or not.
        var pairs = 0
        var changed = 0
        var onlyInA = 0
        var onlyInB = 0
        /// Groups that were taken for complete because too much waited.
        var cutShort = 0

        var differences: Int { changed + onlyInA + onlyInB }
    }

    /// How many lines ahead a counterpart is looked for.
    private static let lookahead = 64

    private(set) var counts = Counts()
    private let left: Side
    private let right: Side
    private let rules: ComparisonRules
    /// The most bytes of lines that may wait.
    private let room: Int
    private var groups: [ComparedLine.Group: Waiting] = [:]
    /// Groups in the order in which they began to wait; some do no longer.
    private var order: [ComparedLine.Group] = []
    private let onDifference: (LineDifference) -> Void

    /// Prepares to compare; differences are told as they are found.
    ///
    /// `room` is how many bytes of lines may wait for their counterparts.
    init(
        _ left: InputFile,
        _ right: InputFile,
        rules: ComparisonRules,
        room: Int,
        onDifference: @escaping (LineDifference) -> Void
    ) {
        self.left = Side(left)
        self.right = Side(right)
        self.rules = rules
        self.room = room
        self.onDifference = onDifference
    }

    /// Compares to the end of both.
    ///
    /// - Throws: when one of the two cannot be read or holds another thing than outputs.
    func run() throws(InputFile.Failure) {
        while !left.hasEnded || !right.hasEnded {
            if groups.isEmpty, !left.hasEnded, !right.hasEnded {
                try readBoth()
            } else if right.hasEnded || (!left.hasEnded && left.waiting <= right.waiting) {
                unsafe try add(left.reader.next(), left, isLeft: true)
            } else {
                unsafe try add(right.reader.next(), right, isLeft: false)
            }
            while left.waiting + right.waiting > room { alignOldest() }
        }
        while !groups.isEmpty { alignOldest(cutsShort: false) }
    }

    // MARK: - Reading

    /// Reads the next line of both: where the outputs are alike, nothing waits, and that is all there is to do.
    private func readBoth() throws(InputFile.Failure) {
        let first = unsafe try left.reader.next()
        let second = unsafe try right.reader.next()
        if let first = unsafe first, let second = unsafe second, first.count == second.count {
            guard let left = first.baseAddress, let right = second.baseAddress, first.count > 0 else { return }
            if unsafe memcmp(left, right, first.count) == 0 {
                counts.pairs += 1
                return
            }
        }
        unsafe try add(first, left, isLeft: true)
        unsafe try add(second, right, isLeft: false)
    }

    private func add(_ bytes: UnsafeRawBufferPointer?, _ side: Side, isLeft: Bool) throws(InputFile.Failure) {
        guard let bytes = unsafe bytes else {
            side.hasEnded = true
            return
        }
        guard unsafe !bytes.isEmpty else { return }
        let line = unsafe try line(bytes, side.reader)
        side.waiting += line.size
        if groups[line.group] == nil { order.append(line.group) }
        var waiting = groups.removeValue(forKey: line.group) ?? Waiting()
        if isLeft { waiting.left.append(line) } else { waiting.right.append(line) }
        align(&waiting, isComplete: false)
        if !waiting.isEmpty { groups[line.group] = waiting }
        forgetAligned()
    }

    /// Keeps the order from growing with groups that no longer wait.
    private func forgetAligned() {
        if groups.isEmpty {
            order.removeAll(keepingCapacity: true)
        } else if order.count > 2 * groups.count + 64 {
            var seen: Set<ComparedLine.Group> = []
            order = order.filter { groups[$0] != nil && seen.insert($0).inserted }
        }
    }

    private func line(_ bytes: UnsafeRawBufferPointer, _ reader: LineReader) throws(InputFile.Failure) -> ComparedLine {
        let place = "\(reader.name):\(reader.lineNumber)"
        let value: JSONValue
        do throws(JSONParseError) {
            value = unsafe try JSONParser().parse(bytes)
        } catch {
            throw .badData("\(place): \(error.message)")
        }
        guard let line = ComparedLine(value, number: reader.lineNumber, size: bytes.count) else {
            throw .badData("\(place): this is no line of the reporter jsonlines: it needs \"line\" and \"run\"")
        }
        return line
    }

    // MARK: - Aligning

    /// Aligns the group that has waited longest, as if nothing more came of it.
    private func alignOldest(cutsShort: Bool = true) {
        while let group = order.first {
            order.removeFirst()
            guard var waiting = groups.removeValue(forKey: group) else { continue }
            align(&waiting, isComplete: true)
            counts.cutShort += cutsShort ? 1 : 0
            return
        }
    }

    /// Pairs lines from the front as far as that can be decided, all of them when the group is complete.
    private func align(_ waiting: inout Waiting, isComplete: Bool) {
        while let first = waiting.left.first, let second = waiting.right.first {
            if matches(first, second) {
                pair(&waiting)
                continue
            }
            let inRight = waiting.right.firstIndex(within: Self.lookahead) { matches(first, $0) }
            let inLeft = waiting.left.firstIndex(within: Self.lookahead) { matches($0, second) }
            switch (inLeft, inRight) {
            case (nil, nil):
                let decided = isComplete || min(waiting.left.count, waiting.right.count) >= Self.lookahead
                guard decided else { return }
                if first.kind == second.kind {
                    pair(&waiting)
                } else {
                    drop(&waiting, fromLeft: first.time <= second.time)
                }
            case (let ahead?, let behind?):
                drop(&waiting, fromLeft: ahead <= behind)
            // One has its counterpart further on, but that may be the nearest of two: wait until the other is known.
            case (.some, nil):
                guard isComplete || waiting.right.count >= Self.lookahead || first.time < second.time else { return }
                drop(&waiting, fromLeft: true)
            case (nil, .some):
                guard isComplete || waiting.left.count >= Self.lookahead || second.time < first.time else { return }
                drop(&waiting, fromLeft: false)
            }
        }
        guard isComplete else { return }
        while !waiting.left.isEmpty { drop(&waiting, fromLeft: true) }
        while !waiting.right.isEmpty { drop(&waiting, fromLeft: false) }
    }

    private func matches(_ first: ComparedLine, _ second: ComparedLine) -> Bool {
        first.kind == second.kind && rules.isSameMoment(first.time, second.time, kind: first.kind)
    }

    private func pair(_ waiting: inout Waiting) {
        guard let first = waiting.left.popFirst(), let second = waiting.right.popFirst() else { return }
        left.waiting -= first.size
        right.waiting -= second.size
        counts.pairs += 1
        let changes = LineComparison.changes(first, second, rules: rules)
        guard !changes.isEmpty else { return }
        counts.changed += 1
        onDifference(LineDifference(left: first, right: second, changes: changes))
    }

    private func drop(_ waiting: inout Waiting, fromLeft: Bool) {
        guard let line = fromLeft ? waiting.left.popFirst() : waiting.right.popFirst() else { return }
        (fromLeft ? left : right).waiting -= line.size
        if fromLeft { counts.onlyInA += 1 } else { counts.onlyInB += 1 }
        onDifference(LineDifference(left: fromLeft ? line : nil, right: fromLeft ? nil : line, changes: []))
    }
}

/// Lines of one side that wait for their counterparts, first in, first out.
struct LineQueue {
    private var lines: [ComparedLine?] = []
    private var head = 0

    var count: Int { lines.count - head }
    var isEmpty: Bool { count == 0 }
    var first: ComparedLine? { isEmpty ? nil : lines[head] }

    mutating func append(_ line: ComparedLine) {
        lines.append(line)
    }

    mutating func popFirst() -> ComparedLine? {
        guard head < lines.count else { return nil }
        let line = lines[head]
        lines[head] = nil
        head += 1
        if head >= 32, 2 * head >= lines.count {
            lines.removeFirst(head)
            head = 0
        }
        return line
    }

    /// How far from the front the first of these lines stands that the closure accepts, looking at `limit` of them.
    func firstIndex(within limit: Int, where accepts: (ComparedLine) -> Bool) -> Int? {
        for offset in 0..<min(limit, count) {
            if let line = lines[head + offset], accepts(line) { return offset }
        }
        return nil
    }
}
