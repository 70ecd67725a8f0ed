import Streaming
import Testing

struct PlaylistVariablesTests {
    private static let master = """
        #EXTM3U
        #EXT-X-DEFINE:NAME="host",VALUE="https://cdn.example"
        #EXT-X-DEFINE:NAME="path",VALUE="a/b"
        #EXT-X-DEFINE:QUERYPARAM="token"
        #EXT-X-DEFINE:QUERYPARAM="none"
        """
    private static let variables = PlaylistVariables(text: master, at: "http://x.example/m.m3u8?a=1&token=t%2B1+2#f")

    @Test("Values are put in wherever a variable is written, and what is none stays")
    func replaced() {
        let text = "{$path}/v{$token}.m3u8\n#EXT-X-KEY:URI=\"{$host}/k\"\n{$unknown} {$none} {$} {path} $path"
        #expect(
            Self.variables.replaced(in: text)
                == "a/b/vt+1 2.m3u8\n#EXT-X-KEY:URI=\"https://cdn.example/k\"\n{$unknown} {$none} {$} {path} $path"
        )
    }

    @Test("A playlist has what it imports of its master, and what it defines itself")
    func imported() {
        let text = "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"path\"\n#EXT-X-DEFINE:NAME=\"own\",VALUE=\"o\""
        let media = PlaylistVariables(text: text, at: "", importing: Self.variables)
        #expect(media.replaced(in: "{$path}{$own}{$host}") == "a/bo{$host}")
        #expect(PlaylistVariables(text: "#EXTM3U", at: "", importing: Self.variables).isEmpty)
    }

    @Test(
        "An address that was made of a reference with variables is the one that is meant",
        arguments: [
            ("http://x.example/%7B$path%7D/v.m3u8", "http://x.example/a/b/v.m3u8"),
            ("http://x.example/%7B%24path%7D/v.m3u8?q={$token}", "http://x.example/a/b/v.m3u8?q=t+1 2"),
            ("http://x.example/dir/{$host}/seg0.ts", "https://cdn.example/seg0.ts"),
            ("http://x.example/v.m3u8?to=http://y.example", "http://x.example/v.m3u8?to=http://y.example"),
        ]
    )
    func address(written: String, meant: String) throws {
        #expect(try Self.variables.address(written) == meant)
    }

    @Test("A variable that nobody defines is named")
    func unknown() {
        do throws(PlaylistVariables.UnknownVariable) {
            Issue.record("it is \(try Self.variables.address("http://x.example/%7B$path%7D/%7B$which%7D.ts"))")
        } catch {
            #expect(error.name == "which")
        }
    }
}
