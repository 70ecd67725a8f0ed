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
