import Glibc
import Journal
import System
import TestFiles
import Testing

@Suite struct JournalTests {
    private let files = TemporaryFolder()

    private var path: String { files.file("journal") }

    /// Opens the journal; what it has comes as texts with their numbers.
    private func open(_ options: Journal.Options = Journal.Options()) throws -> (Journal, [String]) {
        var found: [String] = []
        let journal = unsafe try Journal(folder: path, options: options) { number, bytes in
            found.append("\(number) \(unsafe String(decoding: bytes, as: UTF8.self))")
        }
        return (journal, found)
    }

    /// Appends entries and waits until they are safe; their numbers, nil when they are not.
    private func append(_ texts: [String], to journal: Journal) -> Range<UInt64>? {
        let outcome = Condition<Result<Range<UInt64>, JournalFailure>?>(nil)
        let isAppended = journal.append(texts.map { Array($0.utf8) }, generation: journal.generation) { done in
            outcome.change { $0 = done }
        }
        guard isAppended else { return nil }
        return try? outcome.wait(until: nil) { $0 }?.get()
    }

    private var names: [String] { TemporaryFolder.names(in: path).sorted() }

    @Test("What was safe is there again, in its order and with its numbers, and the next entry goes on")
    func again() throws {
        let (journal, none) = try open()
        #expect(none.isEmpty)
        #expect(append(["one", "two"], to: journal) == 1..<3)
        #expect(append([], to: journal) == 3..<3)
        journal.close()
        let (next, found) = try open()
        #expect(found == ["1 one", "2 two"])
        #expect(append(["three"], to: next) == 3..<4)
        next.close()
        #expect(try open().1 == ["1 one", "2 two", "3 three"])
    }

    @Test(
        "An entry that was cut off, or whose bytes are others, is none at the end of the last file",
        arguments: [1, 9, 20]
    )
    func cutOff(bytes: Int) throws {
        let (journal, _) = try open()
        _ = append(["one"], to: journal)
        _ = append(["two"], to: journal)
        journal.close()
        let file = "\(path)/\(names[0])"
        let size = try TestFile.bytes(file).count
        unsafe truncate(file, size - bytes)
        let (next, found) = try open()
        #expect(found == (bytes > 19 ? [] : ["1 one"]))
        #expect(append(["again"], to: next)?.lowerBound == UInt64(found.count) + 1)
        next.close()
        #expect(try open().1 == found + ["\(found.count + 1) again"])
    }

    @Test("Damage before what was safe later is told, and nothing is passed over")
    func damage() throws {
        var options = Journal.Options()
        options.segmentBytes = 1
        let (journal, _) = try open(options)
        for text in ["one", "two", "three"] { _ = append([text], to: journal) }
        journal.close()
        #expect(names.count == 3)
        var bytes = try TestFile.bytes("\(path)/\(names[1])")
        bytes[17] ^= 1
        _ = files.write("journal/\(names[1])", bytes: bytes)
        #expect(throws: JournalFailure.self) { _ = try open() }
    }

    @Test("Files with nothing but entries that are done are deleted, and the numbers go on")
    func discard() throws {
        var options = Journal.Options()
        options.segmentBytes = 1
        let (journal, _) = try open(options)
        for text in ["one", "two", "three"] { _ = append([text], to: journal) }
        journal.discard(before: 3)
        journal.close()
        let (next, found) = try open(options)
        #expect(found == ["3 three"])
        #expect(append(["four"], to: next) == 4..<5)
        next.discard(before: 5)
        next.close()
    }

    @Test("Too much that waits is refused at once")
    func full() throws {
        var options = Journal.Options()
        options.waitingBytes = 100
        let (journal, _) = try open(options)
        let isAppended = journal.append([[UInt8](repeating: 1, count: 200)], generation: journal.generation) { _ in }
        #expect(!isAppended)
        journal.close()
    }

    @Test("What was prepared for a generation that is over is not appended: what came before it was not safe")
    func generation() throws {
        let (journal, _) = try open()
        let isAppended = journal.append([[1]], generation: journal.generation + 1) { _ in }
        #expect(!isAppended)
        journal.close()
    }
}
