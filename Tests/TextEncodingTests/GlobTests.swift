import Glibc
import Testing
import TextEncoding

struct GlobTests {
    @Test("a pattern means what the system's fnmatch takes it for", arguments: 0..<UInt64(8))
    func likeTheSystem(block: UInt64) {
        var random = SplitMix64(seed: block)
        var matching = 0
        for _ in 0..<5_000 {
            let pattern = Self.text(from: "ab.**?", &random, longest: 9)
            let name = Self.text(from: "ab.", &random, longest: 12)
            let expected = unsafe fnmatch(pattern, name, FNM_NOESCAPE) == 0
            #expect(Glob(pattern).matches(name) == expected, "\(pattern) and \(name)")
            matching += expected ? 1 : 0
        }
        #expect(matching > 200)
    }

    @Test("brackets and backslashes stand for themselves")
    func plain() {
        #expect(Glob("[ab]").matches("[ab]") && !Glob("[ab]").matches("a"))
        #expect(Glob(#"a\*"#).matches(#"a\b"#) && !Glob(#"a\*"#).matches("a*"))
    }

    @Test("a pattern that is meant to take for ever does not")
    func hostile() {
        let name = String(repeating: "a", count: 5_000)
        #expect(!Glob(String(repeating: "*a", count: 500) + "*b").matches(name))
        #expect(Glob(String(repeating: "*a", count: 500) + "*").matches(name))
        #expect(!Glob(String(repeating: "*?a*", count: 500) + "b").matches(name))
    }

    private static func text(from alphabet: String, _ random: inout SplitMix64, longest: UInt64) -> String {
        let letters = Array(alphabet)
        return String(
            (0..<random.next() % (longest + 1)).map { _ in letters[Int(random.next() % UInt64(letters.count))] }
        )
    }
}
