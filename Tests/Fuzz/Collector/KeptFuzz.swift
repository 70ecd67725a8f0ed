import Archive
import EventModel
internal import Glibc
import PlayerReports
import System
import TextEncoding

// Used by the one thread that the fuzzer has.
nonisolated(unsafe) private let decoder = ArchiveLineDecoder(knowingRun: true)

/// Takes bytes as a batch in Tally's own form, and its lines as what is left when some were there before.
func fuzzBatch(_ bytes: [UInt8]) {
    _ = unsafe bytes.withUnsafeBytes { unsafe ReceivedReports($0) }
    guard let batch = newBatch(bytes) else { return }
    if batch.first > batch.last { fatalError("its first line is \(batch.first), its last \(batch.last)") }
    for known in [0, batch.first, batch.last / 2, batch.last] {
        let lines = unsafe bytes.withUnsafeBytes { unsafe batch.lines(beyond: known, of: $0) }
        // The last numbers may be those of lines that are left out.
        let isShort = batch.refused > 0
        if batch.last <= known ? !lines.isEmpty : lines.isEmpty && !isShort {
            fatalError("lines behind \(known) of \(batch.last)")
        }
        guard let rest = newBatch(Array("{\"sent_us\":0}\n".utf8) + lines) else { fatalError("lines are no batch") }
        let isEnd = isShort ? rest.last <= batch.last : rest.last == batch.last
        if !lines.isEmpty, !isEnd || rest.first <= known || rest.refused > batch.refused {
            fatalError("behind \(known) there are \(rest.first) to \(rest.last), not to \(batch.last)")
        }
        var reports = ReceivedReports(RunKey(tenant: "t", form: .native, name: "r"), received: 1, text: lines)
        reports.last = batch.last
        reports.sent = batch.sent
        if unsafe reports.bytes.withUnsafeBytes({ unsafe ReceivedReports($0) }) != reports {
            fatalError("an entry of the journal is not read again as it was")
        }
    }
}

private func newBatch(_ bytes: [UInt8]) -> NativeBatch? {
    unsafe bytes.withUnsafeBytes { unsafe try? NativeBatch($0, of: "r", decoder) }
}

/// Takes bytes as the file of an open run, which may be damaged: what is whole of it goes on.
func fuzzRunFile(_ bytes: [UInt8]) {
    guard let contents = OpenRunFile.contents(of: bytes) else { return }
    if contents.bytes > bytes.count { fatalError("\(contents.bytes) of \(bytes.count) bytes are whole") }
    guard let whole = OpenRunFile.contents(of: Array(bytes.prefix(contents.bytes))), whole.key == contents.key,
        whole.lines == contents.lines, whole.place == contents.place, whole.isOver == contents.isOver
    else { fatalError("what is whole is not read again as it was") }
    switch contents.key.form {
    case .native: break
    case .cmcd: goOn(contents, CMCDInterpretation())
    case .openAnalytics: goOn(contents, OpenAnalyticsInterpretation())
    case .requests: goOn(contents, CMCDRequestRun())
    }
    _ = OpenRunFile.header(of: contents.lines)
}

/// Tells an interpretation again what it was told, and goes on to its end.
private func goOn(_ contents: OpenRunFile.Contents, _ begin: some ReportInterpretation) {
    var run = begin
    var calls: [TrackedCall] = []
    for (time, report) in contents.told {
        if let report {
            _ = run.receive(report, at: time, into: &calls)
        } else {
            run.advance(to: time, into: &calls)
        }
    }
    while let due = run.nextDue { run.advance(to: due, into: &calls) }
}

/// Makes a journal of the lines, damages it as its first bytes say, and opens it: there are the first entries, whole, and
/// what is appended then is behind them.
func fuzzJournal(_ bytes: [UInt8]) {
    guard bytes.count > 4 else { return }
    let path = "/dev/shm/tally-fuzz-\(getpid())"
    defer {
        for name in FileNames.names(in: path, endingWith: "") ?? [] { unsafe unlink("\(path)/\(name)") }
    }
    let entries = bytes[4...].split(separator: 0x0A).map(Array.init)
    do {
        var folder = try JournalFolder(path)
        for entry in entries { _ = try folder.write([[entry]], segmentBytes: 64 + Int(bytes[3]) * 8) }
        folder.endSegment()
    } catch { fatalError("it cannot be written: \(error)") }
    damage("\(path)/", at: Int(bytes[0]) << 8 | Int(bytes[1]), with: bytes[2])
    guard let found = recovered(path) else { return }
    if found.count > entries.count || found != Array(entries.prefix(found.count)) {
        fatalError("\(found.count) entries are not the first of \(entries.count)")
    }
    do {
        var folder = try JournalFolder(path)
        unsafe try folder.recover { _, _ in }
        let next = folder.next
        let ranges = try folder.write([[[1, 2, 3]]], segmentBytes: 64).ranges
        folder.endSegment()
        if ranges != [next..<(next + 1)] { fatalError("the next entry has the numbers \(ranges)") }
    } catch { fatalError("it does not go on: \(error)") }
    if recovered(path) != found + [[1, 2, 3]] { fatalError("what was appended is not behind what there was") }
}

private func recovered(_ path: String) -> [[UInt8]]? {
    var found: [[UInt8]] = []
    do {
        var folder = try JournalFolder(path)
        unsafe try folder.recover { _, entry in unsafe found.append(Array(entry)) }
        return found
    } catch {
        return nil
    }
}

/// Changes one byte of the journal's last file, or cuts it off there.
private func damage(_ folder: String, at place: Int, with byte: UInt8) {
    guard let name = FileNames.names(in: folder, endingWith: ".journal")?.max() else { return }
    let descriptor = unsafe open(folder + name, O_RDWR)
    defer { close(descriptor) }
    let count = Int(lseek(descriptor, 0, SEEK_END))
    guard count > 0 else { return }
    if byte == 0 {
        ftruncate(descriptor, place % count)
    } else {
        var changed = byte
        unsafe pwrite(descriptor, &changed, 1, place % count)
    }
}
