package import Archive
internal import EventModel

/// What an archive holds, in a file beside it: its runs, when they were, what they play, and where their lines lie.
///
/// It is made of an archive without damage, and good for that very file alone. Its first line says for which, and has
/// the digest of the others, one for each run: one that is damaged or of another state is never believed.
package struct ArchiveIndex {
    /// In how many places a run's lines may lie; an archive whose runs lie among each other is read whole.
    package static let mostStretches = 256

    /// A player run.
    package struct Run {
        package let id: String
        /// Wall clock at its time 0, us since 1970.
        package let epoch: Int64
        /// Whether nothing but its header is left.
        package let isErased: Bool
        /// The latest time of its lines, us.
        package private(set) var time: Int64 = 0
        /// What is played in each session, by its number; 0 stands for what is in none.
        package private(set) var assets: [Int: Set<String>] = [:]
        /// Where its lines lie in the plain text, rising; nil when that is in too many places.
        package private(set) var stretches: [Range<Int>]? = []
        private var session: SessionNumber

        /// Begins before the first line.
        fileprivate init(_ header: ArchiveHeader) {
            id = header.run
            epoch = header.epoch
            isErased = header.isErased
            session = SessionNumber(header)
        }

        /// Takes over what an index has of a run.
        init(
            id: String,
            epoch: Int64,
            isErased: Bool,
            time: Int64,
            assets: [Int: Set<String>],
            stretches: [Range<Int>]?
        ) {
            self.id = id
            self.epoch = epoch
            self.isErased = isErased
            self.time = time
            self.assets = assets
            self.stretches = stretches
            session = SessionNumber()
        }

        /// Reads a line of the run.
        fileprivate mutating func read(_ line: ArchiveLine) {
            time = max(time, line.time ?? 0)
            guard case .event(let event) = line else { return }
            if event.type == .videoLoad {
                session.begin()
                assets[session.open] = []
            }
            if let asset = event.attributes[.videoID]?.string { assets[session.open, default: []].insert(asset.string) }
            if event.type == .videoUnload { session.end() }
        }

        /// Adds the place of a line.
        fileprivate mutating func add(_ line: Range<Int>) {
            guard let count = stretches?.count else { return }
            if let last = stretches?.last, last.upperBound == line.lowerBound {
                stretches?[count - 1] = last.lowerBound..<line.upperBound
            } else if count < ArchiveIndex.mostStretches {
                stretches?.append(line)
            } else {
                stretches = nil
            }
        }
    }

    /// The runs in the order of their headers; one that begins twice is there twice.
    package private(set) var runs: [Run]
    /// Where the run of an id is that began last, as long as lines are read.
    private var places: [String: Int] = [:]

    /// Begins with these runs, before the archive's first line without any.
    package init(runs: [Run] = []) { self.runs = runs }

    /// Reads the archive's next line, which lies there in the plain text with its break.
    package mutating func read(_ line: ArchiveLine, of run: String, at bytes: Range<Int>) {
        if case .header(let header) = line {
            places[run] = runs.count
            runs.append(Run(header))
        }
        guard let place = places[run] else { return }
        runs[place].read(line)
        runs[place].add(bytes)
    }

    /// What has to be read of the archive for the wanted runs; nil when that is all.
    package func excerpt(of isWanted: (String) -> Bool) -> ArchiveExcerpt? {
        var excerpt = ArchiveExcerpt()
        var wanted: [Range<Int>] = []
        for run in runs {
            // A replay tells of an erased run, and where it is.
            if run.isErased { return nil }
            guard isWanted(run.id) else {
                excerpt.otherRuns += 1
                continue
            }
            guard let stretches = run.stretches else { return nil }
            wanted += stretches
        }
        for stretch in wanted.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard let last = excerpt.stretches.last, last.upperBound >= stretch.lowerBound else {
                excerpt.stretches.append(stretch)
                continue
            }
            // A line belongs to one run.
            guard last.upperBound == stretch.lowerBound else { return nil }
            excerpt.stretches[excerpt.stretches.count - 1] = last.lowerBound..<stretch.upperBound
        }
        return excerpt
    }
}

/// What is read of an archive.
package struct ArchiveExcerpt {
    /// The lines, by their place in the plain text.
    package fileprivate(set) var stretches: [Range<Int>] = []
    /// How many runs are left out.
    package fileprivate(set) var otherRuns = 0
}

/// Which session of a run is open, numbered as a replay does: those that were erased keep their numbers.
package struct SessionNumber {
    /// The open session; 0 outside one.
    package private(set) var open = 0
    private var last: UInt32 = 0
    private let erased: Set<UInt32>

    /// Begins before the first session of a run.
    package init(_ header: ArchiveHeader? = nil) { erased = Set(header?.erasedSessions ?? []) }

    /// A session begins.
    package mutating func begin() {
        repeat { last += 1 } while erased.contains(last)
        open = Int(last)
    }

    /// The open session ends.
    package mutating func end() { open = 0 }
}
