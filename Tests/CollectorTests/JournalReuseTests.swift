import Journal
import TestFiles
import Testing

/// Files of a journal that are written again.
@Suite struct JournalReuseTests {
    private let files = TemporaryFolder()

    private func append(_ text: String, to journal: Journal) async throws {
        let outcome = await withCheckedContinuation { continuation in
            let isTaken = journal.append([Array(text.utf8)], generation: journal.generation) {
                continuation.resume(returning: $0.map { _ in true })
            }
            if !isTaken { continuation.resume(returning: .success(false)) }
        }
        #expect(try outcome.get())
    }

    private func entries() throws -> [String] {
        var entries: [String] = []
        let journal = unsafe try Journal(folder: files.path + "/journal") { _, bytes in
            entries.append(unsafe String(decoding: bytes, as: UTF8.self))
        }
        journal.close()
        return entries
    }

    @Test("What a file holds of before is no entry", arguments: [3, 9, 14])
    func reused(last: Int) async throws {
        var options = Journal.Options()
        options.window = 0
        options.segmentBytes = 400
        let journal = unsafe try Journal(folder: files.path + "/journal", options: options) { _, _ in }
        // As long as each other: entries of before begin where new ones end.
        let texts = (10..<50).map { "entry \($0) " + String(repeating: "x", count: 80) }
        for text in texts[..<20] { try await append(text, to: journal) }
        journal.discard(before: 15)
        for text in texts[20..<(20 + last)] { try await append(text, to: journal) }
        // Nobody ended it.
        let found = try entries()
        #expect(found == Array(texts[(20 + last - found.count)..<(20 + last)]))
        #expect(found.count >= 6 + last)
        journal.close()
        #expect(try entries() == found)
    }
}
