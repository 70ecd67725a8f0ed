import NewRelicVideo
import PluginKit
import Testing

/// The filters match a whole action, as the regular expressions that they stand for do.
struct ActionFilterTests {
    @Test(
        arguments: [
            ("CONTENT_START", true), ("A", true), ("_", true), ("", false), ("MY_ACTION_2", false), ("My", false),
            ("CONTENT START", false),
        ])
    func `capitals and low lines`(name: String, matches: Bool) {
        #expect(check(.capitals, name) == matches)
    }

    @Test(
        arguments: [
            ("CONTENT_START", true), ("CONTENT_", false), ("AD_START", false), ("XCONTENT_START", false),
            ("CONTENT_start", false), ("CONTENT_A", true),
        ])
    func `a beginning, and capitals behind it`(name: String, matches: Bool) {
        #expect(check(.beginning("CONTENT_"), name) == matches)
    }

    @Test(arguments: [("CONTENT_RESUME", true), ("CONTENT_RESUMED", false), ("CONTENT_RESUM", false)])
    func `one name`(name: String, matches: Bool) {
        #expect(check(.oneOf(["AD_RESUME", "CONTENT_RESUME"]), name) == matches)
    }

    @Test func `every spelling`() {
        #expect(check(.every, "my-action 1"))
    }

    private func check(_ filter: ActionFilter, _ name: String) -> Bool {
        let text = KeptText(name)
        return text.text.map(filter.matches) ?? false
    }
}
