internal import Glibc
internal import HostSupport
internal import Setup

/// Finds archives that are parts of one, as a rotation makes them: those in which runs go on that began in another.
enum ArchiveParts {
    /// What the lines of an archive say of the other archives it belongs to.
    private struct Outline {
        /// The run whose header is the first line that can be read, and when that began by the wall clock, us since
        /// 1970.
        var first: (run: String, epoch: Int64)?
        /// The number of that run's first line behind its header.
        var ordinal: UInt64 = 0
        /// The runs without a header before their first line, with its number.
        var goingOn: [String: UInt64] = [:]
        /// A first line that is perhaps the rest of another archive's last one, and a last one that was cut off.
        var head: [UInt8] = []
        var tail: [UInt8] = []

        /// Where its own lines of that run belong among those of others.
        var place: UInt64 { ordinal <= 1 ? 0 : ordinal }
    }

    /// Where lines of a run are: the first one's number, and the archive.
    private typealias Place = (ordinal: UInt64, archive: Int)

    /// Puts each archive that goes on in others into one with them, in the order of their runs' lines, at the place of
    /// the first of them.
    ///
    /// `again` leaves alone what begins with the same run's header.
    static func joined(_ archives: [ArchiveOperand], again: Bool, _ log: LogPrinter) -> [ArchiveOperand] {
        guard archives.count > 1 else { return archives }
        let outlines = archives.map(outline)
        // Each run's parts follow one another, and so do those that a line was cut into.
        let places = places(archives, outlines, again: again) + cutLines(outlines)
        guard !places.isEmpty else { return archives }
        // The first part that is known of, and of that again.
        var first = Array(archives.indices)
        func group(_ index: Int) -> Int { first[index] == index ? index : group(first[index]) }
        var followers: [Int: Set<Int>] = [:]
        for places in places {
            let sorted = places.sorted(by: <)
            for (place, next) in zip(sorted, sorted.dropFirst()) where place.archive != next.archive {
                let (one, other) = (group(place.archive), group(next.archive))
                first[max(one, other)] = min(one, other)
                followers[place.archive, default: []].insert(next.archive)
            }
        }
        return Dictionary(grouping: archives.indices, by: group).sorted { $0.key < $1.key }.map { group, members in
            guard members.count > 1 else { return archives[group] }
            let paths = order(members, followers).map { archives[$0].operand }
            log.show(.info, "read as one archive, in this order: \(paths.joined(separator: ", "))")
            return .parts(paths)
        }
    }

    /// For each run that goes on in another archive, where its lines are.
    private static func places(_ archives: [ArchiveOperand], _ outlines: [Outline?], again: Bool) -> [[Place]] {
        var places: [String: [Place]] = [:]
        for (index, outline) in outlines.enumerated() {
            for (run, ordinal) in outline?.goingOn ?? [:] { places[run, default: []].append((ordinal, index)) }
        }
        let begun = Dictionary(grouping: archives.indices.filter { outlines[$0]?.first != nil }) {
            outlines[$0]?.first?.run ?? ""
        }
        let elsewhere = headers(of: places.filter { begun[$0.key] == nil }, archives)
        for run in Array(places.keys) {
            let headers = begun[run] ?? []
            if Set(headers.map { outlines[$0]?.first?.epoch }).count > 1 {
                // Several runs have this id: nobody can say which of them goes on.
                places[run] = nil
            } else if let archive = headers.first {
                places[run]?.append((outlines[archive]?.place ?? 0, archive))
            } else if let archive = elsewhere[run] {
                places[run]?.append((0, archive))
            } else {
                // Its header is lost.
                places[run] = nil
            }
        }
        // With its header in front of each of its parts, or copied.
        for (run, indices) in begun where !again && indices.count > 1 {
            let same = indices.filter { outlines[$0]?.first?.epoch == outlines[indices[0]]?.first?.epoch }
            places[run, default: []] += same.map { (outlines[$0]?.place ?? 0, $0) }
        }
        return places.values.filter { $0.count > 1 }
    }

    /// The archives between which a line was cut, two by two, where nothing else fits.
    private static func cutLines(_ outlines: [Outline?]) -> [[Place]] {
        let heads = outlines.indices.filter { outlines[$0]?.head.isEmpty == false }
        guard !heads.isEmpty else { return [] }
        var pairs: [(first: Int, next: Int)] = []
        for (index, outline) in outlines.enumerated() where outline?.tail.isEmpty == false {
            for next in heads where next != index {
                guard
                    let line = RunLineScan.line((outline?.tail ?? []) + (outlines[next]?.head ?? [])),
                    outlines[next]?.goingOn[line.run].map({ $0 == line.ordinal + 1 }) ?? true
                else { continue }
                pairs.append((index, next))
            }
        }
        return pairs.filter { pair in
            !pairs.contains { ($0.first == pair.first) != ($0.next == pair.next) }
        }.map { pair in [Place(0, pair.first), Place(1, pair.next)] }
    }

    /// What the lines of an archive say; nil when nobody can read them twice.
    private static func outline(of archive: ArchiveOperand) -> Outline? {
        guard var scan = RunLineScan(archive) else { return nil }
        var outline = Outline()
        var open: Set<Int> = []
        var key: Int?
        while let line = scan.next() {
            var hasher = Hasher()
            unsafe hasher.combine(bytes: line.run)
            let run = hasher.finalize()
            switch line.kind {
            case .header:
                if open.isEmpty, outline.goingOn.isEmpty, outline.first == nil, let epoch = line.epoch {
                    outline.first = unsafe (String(decoding: line.run, as: UTF8.self), epoch)
                    key = run
                }
                open.insert(run)
            case .end, .other:
                if run == key { (outline.ordinal, key) = (line.ordinal, nil) }
                if !open.contains(run) {
                    unsafe outline.goingOn[String(decoding: line.run, as: UTF8.self)] = line.ordinal
                    open.insert(run)
                }
                if line.kind == .end { open.remove(run) }
            }
        }
        (outline.head, outline.tail) = (scan.head, scan.tail)
        return outline
    }

    /// The archive in which the header of each of these runs is that stands in front of none, and in none of `places`.
    private static func headers(of places: [String: [Place]], _ archives: [ArchiveOperand]) -> [String: Int] {
        var headers: [String: Int] = [:]
        for index in archives.indices where headers.count < places.count {
            guard var scan = RunLineScan(archives[index]) else { continue }
            while headers.count < places.count, let line = scan.next() {
                guard line.kind == .header else { continue }
                let run = unsafe String(decoding: line.run, as: UTF8.self)
                guard headers[run] == nil, places[run]?.contains(where: { $0.archive == index }) == false else {
                    continue
                }
                headers[run] = index
            }
        }
        return headers
    }

    /// The archives so that each comes before its followers, otherwise as they were named.
    private static func order(_ members: [Int], _ followers: [Int: Set<Int>]) -> [Int] {
        var waits: [Int: Int] = [:]
        for member in members {
            for follower in followers[member] ?? [] { waits[follower, default: 0] += 1 }
        }
        var left = Set(members)
        var ready = left.filter { waits[$0] == nil }
        var order: [Int] = []
        // Where their runs contradict each other, as named.
        while let next = ready.min() ?? left.min() {
            ready.remove(next)
            left.remove(next)
            order.append(next)
            for follower in followers[next] ?? [] where left.contains(follower) {
                waits[follower, default: 1] -= 1
                if waits[follower] == 0 { ready.insert(follower) }
            }
        }
        return order
    }

    /// Whether it can be read again.
    static func isFile(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(PathName.bytes(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
