internal import EventModel
internal import Glibc
internal import System
internal import TextEncoding

/// Deletes a player run, or one session of it, from an archive that is no longer written.
///
/// The file is written anew beside itself and renamed into place. Of a run nothing is left but a header that says so.
/// Of a session nothing is left but marks, so that no line is missing and time goes on; changes of the set of plugins
/// stay.
package struct ArchiveErasure {
    /// Why nothing was erased.
    package struct Failure: Error, CustomStringConvertible {
        /// What happened, where, and what to do.
        package let description: String
    }

    private let run: String
    private let session: UInt32?
    private let decoder = ArchiveLineDecoder()
    private var encoder: ArchiveLineEncoder
    private var sessions: UInt32 = 0
    private var isInside = false
    private var erasedBefore: Set<UInt32> = []
    private var found = false
    private var count = 0

    private init(run: String, session: UInt32?) {
        self.run = run
        self.session = session
        encoder = ArchiveLineEncoder(run: run)
    }

    /// Erases a run, or one session of it.
    ///
    /// - Returns: how many lines were deleted; 0 when nothing of it was there, and then the file is as it was.
    package static func erase(_ path: String, run: String, session: UInt32?) throws(Failure) -> Int {
        var erasure = ArchiveErasure(run: run, session: session)
        return try erasure.rewrite(path)
    }

    private mutating func rewrite(_ path: String) throws(Failure) -> Int {
        let temporary = "\(path).\(getpid()).part"
        guard let source = unsafe fopen(path, "re") else { throw Self.failure(path) }
        defer { unsafe fclose(source) }
        guard let target = unsafe fopen(temporary, "wxe") else { throw Self.failure(temporary) }
        var status = stat()
        unsafe fstat(fileno(source), &status)
        unsafe fchmod(fileno(target), status.st_mode & 0o777)
        let copied = unsafe copy(source, target)
        let written = unsafe copied && fflush(target) == 0 && fsync(fileno(target)) == 0
        var number = written ? 0 : errno
        if unsafe fclose(target) != 0, number == 0 { number = errno }
        if number == 0, count > 0, unsafe rename(temporary, path) != 0 { number = errno }
        if number != 0 || count == 0 { unsafe unlink(temporary) }
        guard number == 0 else {
            errno = number
            throw Self.failure(path)
        }
        return count
    }

    /// Copies line by line what stays; false when that fails.
    private mutating func copy(_ source: UnsafeMutablePointer<FILE>, _ target: UnsafeMutablePointer<FILE>) -> Bool {
        var line: UnsafeMutablePointer<CChar>? = nil
        var capacity = 0
        defer { unsafe free(line) }
        while true {
            let length = unsafe getline(&line, &capacity, source)
            guard length > 0, let start = unsafe line else { return unsafe ferror(source) == 0 }
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
            switch unsafe fate(of: bytes) {
            case .stays:
                guard unsafe fwrite(start, 1, length, target) == length else { return false }
            case .becomesOther:
                count += 1
                let written = unsafe encoder.buffer.withBytes { bytes in
                    unsafe fwrite(bytes.baseAddress, 1, bytes.count, target) == bytes.count
                }
                encoder.buffer.removeAll()
                guard written else { return false }
            case .goes: count += 1
            }
        }
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
            return unsafe session == nil && Self.has(bytes, Array(run.utf8)) ? .goes : .stays
        }
        guard decoder.run == run else { return .stays }
        if case .header(let header) = line { return self.header(header) }
        guard let session else { return .goes }
        return fate(of: line, in: session)
    }

    private mutating func header(_ header: ArchiveHeader) -> Fate {
        var header = header
        sessions = 0
        isInside = false
        erasedBefore = Set(header.erasedSessions)
        guard !header.isErased else { return .stays }
        if let session {
            guard !erasedBefore.contains(session) else { return .stays }
            header.erasedSessions = (header.erasedSessions + [session]).sorted()
            // The line itself is not counted: nothing may be there of the session.
            count -= 1
        } else {
            header.trackers = []
            header.isErased = true
        }
        encoder.go(to: 0)
        encoder.header(header)
        return .becomesOther
    }

    private mutating func fate(of line: ArchiveLine, in session: UInt32) -> Fate {
        guard case .event(let event) = line else { return .stays }
        if event.type == .videoLoad {
            repeat { sessions += 1 } while erasedBefore.contains(sessions)
            isInside = sessions == session
        }
        guard isInside, !event.type.isControl else { return .stays }
        if event.type == .videoUnload {
            isInside = false
        }
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
