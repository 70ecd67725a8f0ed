internal import Metrics
internal import TextEncoding

/// What goes on now, by asset, and what went on in each minute of the last hour.
///
/// Sessions that go on are looked at every now and then: what of their figures is new since then counts for the minute
/// that it is.
struct RunningVideos {
    /// How many minutes are kept.
    private static let minutes: Int64 = 60
    /// How many assets are told apart; of more, only all together are counted.
    private static let assets = 5_000
    /// How many are written.
    private static let written = 500

    /// What of a session's figures is in the minutes already.
    struct Counted {
        fileprivate var figures = VideoMinute()
    }

    private struct Video {
        var viewers: Int64 = 0
        var minutes: [Int64: VideoMinute] = [:]

        /// The same without the minutes up to one, and those that have not come.
        func since(_ oldest: Int64, to latest: Int64) -> Video {
            Video(viewers: viewers, minutes: minutes.filter { $0.key > oldest && $0.key <= latest })
        }

        func starts() -> Int64 { minutes.values.reduce(0) { $0 + $1.starts } }
    }

    private var videos: [String: Video] = [:]
    private var all = Video()
    private var minute: Int64 = 0
    private var savedUpTo: Int64 = 0

    /// Begins a look at all sessions that go on; `now` is the wall clock, us since 1970.
    mutating func beginLook(at now: Int64) {
        let next = now / 60_000_000
        if next != minute {
            let oldest = next - Self.minutes
            videos = videos.mapValues { $0.since(oldest, to: next) }.filter { !$0.value.minutes.isEmpty }
            all = all.since(oldest, to: next)
            minute = next
        }
        for asset in Array(videos.keys) { videos[asset]?.viewers = 0 }
        all.viewers = 0
    }

    /// Looks at a session: one that goes on is a viewer of its asset, if playback was asked for.
    mutating func count(_ session: SessionMetrics, _ counted: inout Counted) {
        let now = VideoMinute(session)
        let news = now.less(counted.figures)
        counted.figures = now
        let asset = session.attributes["video_id"]?.description ?? ""
        let isViewer = session.isOpen && session.isAttempted
        guard isViewer || !news.isEmpty else { return }
        add(news, isViewer, &all)
        guard videos.count < Self.assets || videos[asset] != nil else { return }
        add(news, isViewer, &videos[asset, default: Video()])
    }

    private func add(_ news: VideoMinute, _ isViewer: Bool, _ video: inout Video) {
        if isViewer { video.viewers += 1 }
        video.minutes[minute, default: VideoMinute()].add(news)
    }

    /// Ends a look.
    mutating func endLook() {
        for (asset, video) in videos where video.viewers > 0 {
            videos[asset]?.minutes[minute, default: VideoMinute()].viewers = Self.most(video, minute)
        }
        if all.viewers > 0 { all.minutes[minute, default: VideoMinute()].viewers = Self.most(all, minute) }
    }

    private static func most(_ video: Video, _ minute: Int64) -> Int64 {
        max(video.viewers, video.minutes[minute]?.viewers ?? 0)
    }

    /// Writes the minute that it is, all videos together, and those that are watched or were in the last hour.
    func write(to writer: inout JSONWriter, titles: (String) -> String?) {
        writer.key("minute")
        writer.int(minute)
        writer.key("columns")
        writer.beginArray()
        writer.string("minute")
        for column in VideoMinute.columns { writer.string(column) }
        writer.endArray()
        writer.key("total")
        Self.write(all, id: nil, title: nil, to: &writer)
        let ranked = videos.map { (id: $0.key, video: $0.value, starts: $0.value.starts()) }
            .sorted { ($0.video.viewers, $0.starts, $1.id) > ($1.video.viewers, $1.starts, $0.id) }
        writer.key("videos")
        writer.beginArray()
        for one in ranked.prefix(Self.written) { Self.write(one.video, id: one.id, title: titles(one.id), to: &writer) }
        writer.endArray()
        writer.key("left_out")
        writer.int(Int64(max(0, ranked.count - Self.written)))
    }

    private static func write(_ video: Video, id: String?, title: String?, to writer: inout JSONWriter) {
        writer.beginObject()
        if let id {
            writer.key("id")
            writer.string(id)
            writer.key("title")
            if let title { writer.string(title) } else { writer.null() }
        }
        writer.key("viewers")
        writer.int(video.viewers)
        writer.key("minutes")
        writer.beginArray()
        for (minute, figures) in video.minutes.sorted(by: { $0.key < $1.key }) {
            writer.beginArray()
            writer.int(minute)
            for number in figures.numbers { writer.int(number) }
            writer.endArray()
        }
        writer.endArray()
        writer.endObject()
    }

    // MARK: - Storing

    /// The minutes that may have changed since this was asked last; the asset is nil for all together.
    mutating func removeUnsaved() -> [StoredMinute] {
        defer { savedUpTo = minute }
        func rows(_ video: Video, _ asset: String?) -> [StoredMinute] {
            video.minutes.filter { $0.key >= savedUpTo }
                .map { StoredMinute(asset: asset, minute: $0.key, numbers: $0.value.numbers) }
        }
        return rows(all, nil) + videos.flatMap { rows($0.value, $0.key) }
    }

    /// Takes over minutes that were stored.
    mutating func restore(_ stored: [StoredMinute]) {
        for row in stored {
            let figures = VideoMinute(numbers: row.numbers)
            if let asset = row.asset {
                videos[asset, default: Video()].minutes[row.minute] = figures
            } else {
                all.minutes[row.minute] = figures
            }
        }
    }
}

/// A minute of an asset as it is stored.
package struct StoredMinute: Sendable {
    /// The asset; nil for all together.
    package let asset: String?
    /// Minutes since 1970.
    package let minute: Int64
    /// The figures in the order of the model's columns.
    package let numbers: [Int64]

    /// A row that was read.
    package init(asset: String?, minute: Int64, numbers: [Int64]) {
        self.asset = asset
        self.minute = minute
        self.numbers = numbers
    }
}

/// What was watched in a minute.
private struct VideoMinute {
    /// The most viewers at once.
    var viewers: Int64 = 0
    /// Plays that started.
    private(set) var starts: Int64 = 0
    /// Those of them whose startup was measured, and how long these took together, us.
    private var startups: Int64 = 0
    private var startup: Int64 = 0
    /// Times, us.
    private var played: Int64 = 0
    private var rebuffered: Int64 = 0
    private var rated: Int64 = 0
    /// What was played at a known bitrate, bits.
    private var bits: Int64 = 0
    private var errors: Int64 = 0

    /// What the numbers are called.
    static let columns = [
        "viewers", "starts", "startups", "startup_ms", "play_ms", "rebuffer_ms", "rated_ms", "kilobits", "errors",
    ]

    init() {}

    /// What a session came to so far.
    init(_ session: SessionMetrics) {
        starts = session.isStarted ? 1 : 0
        if let startup = session.startupWithAds {
            startups = 1
            self.startup = startup - session.startupAds
        }
        played = session.played
        rebuffered = session.time(.rebuffering)
        rated = session.rated
        bits = Int64(clamping: session.bits / 1_000_000)
        errors = session.errors
    }

    /// Reads ``numbers``; what is missing is 0.
    init(numbers: [Int64]) {
        let numbers = numbers + Array(repeating: 0, count: max(0, Self.columns.count - numbers.count))
        viewers = numbers[0]
        (starts, startups, errors) = (numbers[1], numbers[2], numbers[8])
        (startup, played, rebuffered) = (numbers[3] &* 1000, numbers[4] &* 1000, numbers[5] &* 1000)
        (rated, bits) = (numbers[6] &* 1000, numbers[7] &* 1000)
    }

    /// In the order of ``columns``.
    var numbers: [Int64] {
        [
            viewers, starts, startups, startup / 1000, played / 1000, rebuffered / 1000, rated / 1000, bits / 1000,
            errors,
        ]
    }

    /// Whether nothing happened.
    var isEmpty: Bool { starts | startups | startup | played | rebuffered | rated | bits | errors == 0 }

    private static let sums: [any WritableKeyPath<VideoMinute, Int64> & Sendable] = [
        \.starts, \.startups, \.startup, \.played, \.rebuffered, \.rated, \.bits, \.errors,
    ]

    mutating func add(_ other: VideoMinute) {
        for member in Self.sums { self[keyPath: member] &+= other[keyPath: member] }
    }

    /// What is new since another look at the same session.
    func less(_ other: VideoMinute) -> VideoMinute {
        var news = self
        for member in Self.sums { news[keyPath: member] &-= other[keyPath: member] }
        return news
    }
}
