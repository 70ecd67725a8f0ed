internal import Pages
internal import PluginKit
internal import Serving
internal import Threads

/// Answers browsers: pages, their data, and the news that there are new ones.
///
/// One thread of libmicrohttpd does all of it. What is answered is made when it is asked for, once for all browsers.
@safe final class DashboardServer: @unchecked Sendable {
    /// How many connections there may be; a browser has up to six.
    private static let connections: UInt32 = 400
    /// Answers that are kept for browsers that ask for the same.
    private static let keptAnswers = 64

    /// What became of requests.
    struct Counts: Sendable {
        var answered: Int64 = 0
        var refused: Int64 = 0
        /// Browsers that did not read, or did not ask on, for too long.
        var dropped: Int64 = 0
    }

    /// Makes what is asked for; called on the server's thread.
    protocol Source: AnyObject {
        /// Rises whenever there is something new.
        var version: UInt64 { get }
        /// The data of a path, and whether they are packed; nil when there are none.
        func data(_ path: String) -> (bytes: [UInt8], isPacked: Bool)?
    }

    private let admission: Admission
    private let token: AccessToken
    private let source: any Source
    private let host: ReporterHost
    private let cookieName: String
    private let streams = EventStreams()
    private let counted = Guarded(Counts())
    private var listener: HTTPListener?
    // What follows is used on the server's thread alone.
    private let files: [String: PackedAnswer]
    private var kept: [String: (version: UInt64, answer: PackedAnswer?)] = [:]

    /// Prepares to answer.
    init(_ admission: Admission, _ token: AccessToken, _ source: any Source, _ host: ReporterHost, port: Int) {
        self.admission = admission
        self.token = token
        self.source = source
        self.host = host
        // Cookies know no ports: two dashboards of one machine must not put each other out.
        cookieName = "tally_dashboard_\(port)"
        var files = ["": PackedAnswer(Array(IndexPage.text.utf8), type: "text/html; charset=utf-8")]
        for file in PageFile.all {
            let type = file.name.hasSuffix(".css") ? "text/css" : "text/javascript"
            files[file.name] = PackedAnswer(Array(file.text.utf8), type: "\(type); charset=utf-8")
        }
        self.files = files
    }

    /// What became of requests so far, and how many browsers are told of news.
    var counts: (counts: Counts, browsers: Int) { (counted.with { $0 }, streams.count) }

    /// Begins to answer on a socket, which it closes at its end.
    func begin(on socket: ListeningSocket, timeout: Int) throws(ReporterFault) {
        let listener = HTTPListener { [unowned self] question in
            answer(question)
        } cut: { [unowned self] in
            counted.with { $0.dropped += 1 }
        }
        try listener.begin(on: socket, connections: Self.connections, timeout: timeout)
        self.listener = listener
    }

    /// Tells browsers that there is something new.
    func announce() { streams.announce() }

    /// Answers nobody any more, and closes all connections.
    func end() {
        streams.end()
        listener?.end()
        listener = nil
    }

    // MARK: - Requests

    private func answer(_ question: HTTPQuestion) -> Answer? {
        let decision = admission.decide(Admission.Request(question, cookie: cookieName))
        let isIn = decision == .admitted || decision == .welcomed
        let refusals = counted.with { counts -> Int64 in
            if isIn { counts.answered += 1 } else { counts.refused += 1 }
            return counts.refused
        }
        if !isIn, refusals == 1 {
            let reason = decision.refusal ?? ""
            host.log(.warning, "the dashboard has refused a request: \(reason); its query stats counts them")
        }
        return switch decision {
        case .admitted: content(question)
        case .welcomed: welcome(question.path)
        case .wrongHost(let name): Refusals.wrongHost(name)
        case .wrongOrigin: Refusals.wrongOrigin
        case .wrongMethod: Refusals.wrongMethod
        case .unknown: Refusals.unknown
        }
    }

    private func welcome(_ path: String) -> Answer? {
        // Relative, for a proxy in front that has the dashboard below a path of its own.
        let place = path == "/" ? "./" : "." + PercentEncoding.encode(path).replacing("%2F", with: "/")
        let cookie = "\(cookieName)=\(token.cookie); HttpOnly; SameSite=Strict; Path=/"
        return Answer.text(303, "The dashboard is at \(place)", [("Location", place), ("Set-Cookie", cookie)])
    }

    private func content(_ question: HTTPQuestion) -> Answer? {
        let accepted = question.header("Accept-Encoding")
        let name = String(question.path.dropFirst())
        if let file = files[name] { return file.fitting(accepted) }
        if name == "events" { return unsafe streams.answer(on: question.connection) }
        guard name.hasSuffix(".json") else { return Refusals.nothing }
        return data(name).map { $0.fitting(accepted) } ?? Refusals.nothing
    }

    private func data(_ name: String) -> PackedAnswer? {
        let version = source.version
        if let made = kept[name], made.version == version { return made.answer }
        // What nobody asks for any more is not kept longer than what is asked for.
        if kept.count >= Self.keptAnswers { kept = kept.filter { $0.value.version == version } }
        if kept.count >= Self.keptAnswers { kept = [:] }
        let answer = source.data(name).map { PackedAnswer($0.bytes, isPacked: $0.isPacked, type: "application/json") }
        kept[name] = (version, answer)
        return answer
    }
}

/// What those get that do not get in.
private enum Refusals {
    static func wrongHost(_ name: String) -> Answer? {
        Answer.text(
            403,
            "This dashboard is not called '\(name)': open it by its own address, or add the name to allowed_hosts."
        )
    }

    static var wrongOrigin: Answer? { Answer.text(403, "Only the dashboard's own pages may ask it.") }

    static var wrongMethod: Answer? { Answer.text(405, "A dashboard can only be read.", [("Allow", "GET, HEAD")]) }

    static var nothing: Answer? { Answer.text(404, "There is no such page.") }

    static var unknown: Answer? {
        Answer.text(
            401,
            "The dashboard needs its token: open the whole address that the program's log has, or its url_file.",
            [("WWW-Authenticate", "Bearer realm=\"tally dashboard\"")]
        )
    }
}

/// The document that loads the pages.
private enum IndexPage {
    static let text = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>Tally dashboard</title>
        <link rel="stylesheet" href="style.css">
        <script src="chart.min.js" defer></script>
        <script src="pages.js" type="module"></script>
        </head>
        <body>
        <noscript><p class="notice">This dashboard needs JavaScript, which is switched off.</p></noscript>
        <div id="pages"><p class="notice" role="status">Loading the dashboard …</p></div>
        </body>
        </html>

        """
}

/// The same content as it is and packed, for browsers that take either; made once for all of them.
private final class PackedAnswer {
    private let plain: Answer?
    private let packed: Answer?

    /// Takes content as it is, or as it was packed.
    init(_ bytes: [UInt8], isPacked: Bool = false, type: String) {
        let vary = (name: "Vary", value: "Accept-Encoding")
        packed = Answer(isPacked ? bytes : Gzip.packed(bytes), type: type, [vary, ("Content-Encoding", "gzip")])
        plain = Answer(isPacked ? Gzip.unpacked(bytes) ?? [] : bytes, type: type, [vary])
    }

    /// What a browser gets that says what it takes.
    func fitting(_ accepted: String?) -> Answer? {
        accepted?.split(separator: ",").contains { $0.trimmed.hasPrefix("gzip") } == true ? packed : plain
    }
}

extension Substring {
    /// The text without spaces at its begin.
    fileprivate var trimmed: Substring { drop { $0 == " " } }
}
