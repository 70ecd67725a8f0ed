import Glibc
import PluginKit
import Synchronization
import Testing

/// What instances of one plugin have in memory once.
struct SharedConfigurationTests {
    private struct Words: DeclaredConfiguration {
        var words: [String] = []
        static let keys = [Key("words", \.words, .list(of: .text, most: 8), "Words.")]
    }

    /// A type has one configuration that is kept: tests that go on at once have one each.
    private struct Spellings: DeclaredConfiguration {
        var words: [String] = []
        static let keys = [Key("words", \.words, .list(of: .text, most: 8), "Words.")]
    }

    private static func first(_ words: [String]) -> UnsafePointer<String>? {
        unsafe words.withUnsafeBufferPointer { $0.baseAddress }
    }

    @Test("Instances that are configured alike have one list, and a wrong configuration is not kept")
    func alike() throws {
        let one = try Words.shared(reading: ["words": ["a", "b"]])
        #expect(throws: ConfigurationError.self) { try Words.shared(reading: ["words": [1]]) }
        let two = try Words.shared(reading: ["words": ["a", "b"]])
        #expect(unsafe Self.first(one.words) == Self.first(two.words))
        #expect(try Words.shared(reading: ["words": ["b", "a"]]).words == ["b", "a"])
    }

    @Test("Texts that Swift takes for equal and that have other bytes are not shared")
    func bytes() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        _ = try Spellings.shared(reading: ["words": [.string(composed)]])
        let words = try Spellings.shared(reading: ["words": [.string(decomposed)]]).words
        #expect(words.map { Array($0.utf8) } == [Array(decomposed.utf8)])
    }

    private final class Held: Sendable {
        static let alive = Atomic<Int>(0)

        init() { Self.alive.add(1, ordering: .relaxed) }

        deinit { Self.alive.subtract(1, ordering: .relaxed) }
    }

    @Test("Each thread has one value of its own, which goes with it")
    func threads() async {
        let shared = ThreadShared { Held() }
        let isOne = await withCheckedContinuation { done in
            var thread = pthread_t()
            let box = Box { done.resume(returning: shared.value === shared.value) }
            unsafe pthread_create(
                &thread,
                nil,
                { box in
                    let box = unsafe Unmanaged<Box>.fromOpaque(box!).takeRetainedValue()
                    box.body()
                    return nil
                },
                Unmanaged.passRetained(box).toOpaque()
            )
            pthread_detach(thread)
        }
        #expect(isOne)
        // The thread may still be about to end.
        while Held.alive.load(ordering: .relaxed) > 0 { await Task.yield() }
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
