internal import Archive
internal import HostSupport
internal import TextEncoding

/// Follows the runs of an archive, and gives what is found in the order of the lines that show it.
struct ArchiveCourses {
    private var open: [(run: String, course: RunCourse)] = []

    /// Looks at a line that a replay uses, with the first of its members that means nothing, if there is one.
    ///
    /// - Returns: what it shows, each with its run.
    mutating func follow(
        _ line: ArchiveLine,
        of run: String,
        unknownMember: String?,
        at place: LinePlace
    ) -> [(run: String, finding: CourseFinding)] {
        if case .header(let header) = line {
            let before = close(run)
            if !header.isErased { open.append((run, RunCourse(at: place))) }
            return before
        }
        guard let index = open.lastIndex(where: { $0.run == run }) else { return [] }
        if let unknownMember { open[index].course.meet(member: unknownMember, at: place, time: line.time ?? 0) }
        switch line {
        case .event(let event): open[index].course.follow(event, at: place)
        case .end: open[index].course.end(at: place)
        case .header, .mark: return []
        }
        let found = open[index].course.findings
        open[index].course.findings.removeAll()
        if case .end = line { open.remove(at: index) }
        return found.map { (run, $0) }
    }

    /// Ends all runs, as the archive is over.
    mutating func end() -> [(run: String, finding: CourseFinding)] {
        open.map(\.run).flatMap { close($0) }
    }

    private mutating func close(_ run: String) -> [(run: String, finding: CourseFinding)] {
        guard let index = open.firstIndex(where: { $0.run == run }) else { return [] }
        var course = open.remove(at: index).course
        course.end(at: nil)
        return course.findings.map { (run, $0) }
    }
}

extension CourseFinding {
    /// As a line.
    func text(run: String) -> String {
        "\(place.text): \(rule.rawValue) in run \(run): \(text); \(rule.meaning): \(rule.remedy)"
    }

    /// As an object.
    func json(run: String) -> JSONValue {
        [
            "rule": .string(rule.rawValue), "file": .string(place.file), "line": .int(Int64(place.line)),
            "run": .string(run), "t_us": .int(time), "found": .string(text), "meaning": .string(rule.meaning),
            "remedy": .string(rule.remedy),
        ]
    }
}
