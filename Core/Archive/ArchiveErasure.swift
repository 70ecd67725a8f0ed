internal import EventModel
internal import Glibc
internal import System
internal import TextEncoding

/// Deletes player runs, or one session of each, from an archive that is no longer written.
///
/// The file is written anew beside itself and renamed into place. Of a run nothing is left but a header that says so.
/// Of a session nothing is left but marks, so that no line is missing and time goes on; changes of the set of plugins
/// stay.
package struct ArchiveErasure {
    /// Why nothing was erased.
    package struct Failure: Error, CustomStringConvertible {
        /// What happened, where, and what to do.
        package let description: String

        /// A failure with what happened.
        package init(description: String) { self.description = description }
    }

    /// Turns the bytes of a compressed archive into lines, and lines into such bytes.
    package protocol Coding: AnyObject {
        /// The next line with its break, lent until the next call; nil at the end.
        func next() throws(Failure) -> UnsafeRawBufferPointer?

        /// What the bytes become, with `atEnd` also what was held back; lent until the next call, nil without memory.
        func encode(_ bytes: UnsafeRawBufferPointer, atEnd: Bool) -> UnsafeRawBufferPointer?
    }

    /// What was erased.
    package struct Outcome {
        /// How many lines were deleted; 0 leaves the file as it was.
        package var lines = 0
        /// The runs of which something was there.
        package var runs: Set<String> = []
        /// Lines that stay because nobody can look at them: they cannot be read, or they are of a run of which a
        /// session goes and that begins in another archive.
        package var unread = 0
        /// The number of the first of those.
        package var firstUnread = 0
        /// Whether nothing is left of the archive.
        package var isEmpty = true
    }

    /// Where a run stands of which a session goes.
    private struct Place {
        var sessions: UInt32 = 0
        var isInside = false
        var erasedBefore: Set<UInt32> = []
    }

    private let runs: Set<String>
    private let session: UInt32?
    private let coding: (any Coding)?
    private let decoder = ArchiveLineDecoder()
    /// Writes the lines of one run.
    private var encoder = ArchiveLineEncoder(run: "")
    private var encoded = ""
    private var places: [String: Place] = [:]
    private var lineNumber = 0
    private var outcome = Outcome()

    private init(_ runs: Set<String>, _ session: UInt32?, _ coding: (any Coding)?) {
        self.runs = runs
        self.session = session
        self.coding = coding
    }

    /// Erases runs, or one session of each, from a plain archive, or one that is read and written by a coding.
    package static func erase(
        _ path: String,
        runs: Set<String>,
        session: UInt32?,
        coding: (any Coding)? = nil
    ) throws(Failure) -> Outcome {
        var erasure = ArchiveErasure(runs, session, coding)
        return try erasure.rewrite(path)
    }

    private mutating func rewrite(_ path: String) throws(Failure) -> Outcome {
        let (name, temporary) = (UndecodedText.path(path), UndecodedText.path("\(path).\(getpid()).part"))
        guard let source = unsafe fopen(name, "re") else { throw Self.failure(path) }
        defer { unsafe fclose(source) }
        guard let target = unsafe fopen(temporary, "wxe") else { throw Self.failure(path) }
        var status = stat()
        unsafe fstat(fileno(source), &status)
        unsafe fchmod(fileno(target), status.st_mode & 0o777)
        var copied = false
        do throws(Failure) {
            copied = unsafe try copy(source, target)
        } catch {
            unsafe fclose(target)
            unsafe unlink(temporary)
            throw error
        }
        let written = unsafe copied && fflush(target) == 0 && fsync(fileno(target)) == 0
        var number = written ? 0 : errno
        if unsafe fclose(target) != 0, number == 0 { number = errno }
        if number == 0, outcome.lines > 0, unsafe rename(temporary, name) != 0 { number = errno }
        if number != 0 || outcome.lines == 0 { unsafe unlink(temporary) }
        guard number == 0 else {
            errno = number
            throw Self.failure(path)
        }
        return outcome
    }

    /// Copies line by line what stays; false when that fails.
    private mutating func copy(
        _ source: UnsafeMutablePointer<FILE>,
        _ target: UnsafeMutablePointer<FILE>
    ) throws(Failure) -> Bool {
        var line: UnsafeMutablePointer<CChar>? = nil
        var capacity = 0
        defer { unsafe free(line) }
        while true {
            let bytes: UnsafeRawBufferPointer
            if let coding {
                guard let next = unsafe try coding.next() else {
                    return unsafe write(UnsafeRawBufferPointer(start: nil, count: 0), to: target, atEnd: true)
                }
                unsafe bytes = unsafe next
            } else {
                let length = unsafe getline(&line, &capacity, source)
                guard length > 0, let start = unsafe line else { return unsafe ferror(source) == 0 }
                unsafe bytes = UnsafeRawBufferPointer(start: start, count: length)
            }
            lineNumber += 1
            let fate = unsafe fate(of: bytes)
            outcome.isEmpty = outcome.isEmpty && fate == .goes
            switch fate {
            case .stays:
                guard unsafe write(bytes, to: target) else { return false }
            case .becomesOther:
                outcome.lines += 1
                let written = unsafe encoder.buffer.withBytes { unsafe write($0, to: target) }
                encoder.buffer.removeAll()
                guard written else { return false }
            case .goes: outcome.lines += 1
            }
        }
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer,
        to target: UnsafeMutablePointer<FILE>,
        atEnd: Bool = false
    ) -> Bool {
        var bytes = unsafe bytes
        if let coding {
            guard let encoded = unsafe coding.encode(bytes, atEnd: atEnd) else {
                errno = ENOMEM
                return false
            }
            unsafe bytes = unsafe encoded
        }
        return unsafe fwrite(bytes.baseAddress, 1, bytes.count, target) == bytes.count
    }

    // MARK: - One line

    private enum Fate {
        case stays
        /// What stands for it is in the encoder.
        case becomesOther
        case goes
    }

    private mutating func fate(of bytes: UnsafeRawBufferPointer) -> Fate {
        var bytes = unsafe bytes
        while let last = unsafe bytes.last, last == 0x0A || last == 0x0D {
            unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast())
        }
        let line: ArchiveLine
        do throws(ArchiveLineProblem) {
            line = unsafe try decoder.decode(bytes)
        } catch {
            // Nobody can say whose a damaged line is: one that names the run goes with it.
            if session == nil, runs.contains(where: { unsafe Self.has(bytes, Array($0.utf8)) }) { return .goes }
            if unsafe !bytes.isEmpty { countUnread() }
            return .stays
        }
        let run = decoder.run.string
        guard runs.contains(run) else { return .stays }
        if case .header(let header) = line {
            encode(run)
            return self.header(header)
        }
        guard let session else {
            outcome.runs.insert(run)
            return .goes
        }
        guard places[run] != nil else {
            countUnread()
            return .stays
        }
        encode(run)
        return fate(of: line, in: session, run)
    }

    private mutating func countUnread() {
        outcome.unread += 1
        if outcome.unread == 1 { outcome.firstUnread = lineNumber }
    }

    /// Has lines written for a run.
    private mutating func encode(_ run: String) {
        guard run != encoded else { return }
        encoder = ArchiveLineEncoder(run: run)
        encoded = run
    }

    private mutating func header(_ header: ArchiveHeader) -> Fate {
        var header = header
        let erasedBefore = Set(header.erasedSessions)
        guard !header.isErased else { return .stays }
        if let session {
            places[header.run] = Place(erasedBefore: erasedBefore)
            guard !erasedBefore.contains(session) else { return .stays }
            header.erasedSessions = (header.erasedSessions + [session]).sorted()
            // The line itself is not counted: nothing may be there of the session.
            outcome.lines -= 1
        } else {
            outcome.runs.insert(header.run)
            header.trackers = []
            header.isErased = true
        }
        encoder.go(to: 0)
        encoder.header(header)
        return .becomesOther
    }

    private mutating func fate(of line: ArchiveLine, in session: UInt32, _ run: String) -> Fate {
        guard case .event(let event) = line else { return .stays }
        var place = places[run] ?? Place()
        defer { places[run] = place }
        if event.type == .videoLoad {
            repeat { place.sessions += 1 } while place.erasedBefore.contains(place.sessions)
            place.isInside = place.sessions == session
        }
        guard place.isInside, !event.type.isControl else { return .stays }
        if event.type == .videoUnload {
            place.isInside = false
        }
        outcome.runs.insert(run)
        encoder.go(to: decoder.ordinal)
        encoder.mark(at: event.time)
        return .becomesOther
    }

    private static func has(_ bytes: UnsafeRawBufferPointer, _ text: [UInt8]) -> Bool {
        guard bytes.count >= text.count else { return false }
        return (0...bytes.count - text.count).contains { start in
            unsafe bytes[start..<start + text.count].elementsEqual(text)
        }
    }

    private static func failure(_ path: String) -> Failure {
        Failure(description: "\(path): nothing was erased: \(SystemError.text(errno))")
    }
}
