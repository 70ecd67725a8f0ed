import Tally
import TestFiles
import Testing

/// The values that trackers keep from one run to the next.
struct PersistentStoreTests {
    private let files = TemporaryFolder()

    @Test("Values that several threads keep at once are all in the file, which is whole at any time")
    func atOnce() throws {
        let path = files.file("store.json")
        let problems = Lock<[String]>([])
        let log = PluginLog { _, _, text in problems.with { $0.append(text) } }
        let store = try PersistentStore(path: path, log: log)
        let threads = (0..<4).map { thread in
            Thread(name: "put-\(thread)") {
                for number in 0..<100 { store.put("instance-\(thread)", "key-\(number)", "value") }
            }
        }
        for _ in 0..<50 { _ = try PersistentStore(path: path, log: .silent) }
        for thread in threads { thread.join() }
        #expect(problems.with { $0 } == [])
        let again = try PersistentStore(path: path, log: .silent)
        for thread in 0..<4 { #expect(again.values(of: "instance-\(thread)").count == 100) }
    }
}
