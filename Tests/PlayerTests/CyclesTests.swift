internal import ChildPrograms
internal import Glibc
internal import Testing

/// Starts and stops again and again, in a process of their own; `Scripts/soak cycles` does more of them.
struct CyclesTests {
    private let media = TestMedia.shared

    init() throws {
        try #require(media.isComplete)
    }

    @Test("Starts and stops of playback leave no memory, thread or descriptor behind")
    func slice() async throws {
        let result = try await ChildProgram.run(
            ["cycles", "--count", "60", "--seed", "7", "--media", media.folder],
            program: "tally-soak"
        )
        // A sanitizer keeps what was given back, and its memory with it.
        let isSanitized = unsafe getenv("ASAN_OPTIONS") != nil
        let isMemoryAlone = result.output.contains("KiB more are held at the end")
        #expect(result.code == 0 || isSanitized && isMemoryAlone, "\(result.output)")
        #expect(result.output.contains("after 60 cycles: "))
    }
}
