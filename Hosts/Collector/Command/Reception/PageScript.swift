internal import CPageScript
internal import CollectorServer

/// The page's script, which pages load from here: every page may.
enum PageScript {
    static let classic = answer(isModule: false)
    static let module = answer(isModule: true)

    private static func answer(isModule: Bool) -> HTTPAnswer {
        var count = 0
        let start = unsafe tally_page_script(isModule, &count)
        let text = unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        return HTTPAnswer(200, text, type: "text/javascript; charset=utf-8")
    }
}
