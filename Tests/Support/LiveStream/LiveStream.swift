internal import Glibc
internal import Synchronization

/// A live HLS stream: a playlist in a folder that is written anew as time goes on, from segments that are there.
///
/// The playlist is `live.m3u8`, and a server that serves the folder serves the stream. The segments are `init.mp4` and
/// `seg0.m4s`, `seg1.m4s` and so on, each of the same duration.
///
/// Time begins when the playlist is first asked for, and no playlist is replaced that nobody has asked for: however busy
/// the machine is, a player joins at the same place and misses none.
package final class LiveStream: Sendable {
    private static let stepUs: UInt32 = 5000

    private let folder: String
    private let segments: Int
    private let segmentMs: Int
    private let window: Int
    private let startSeconds: Int
    private let options: Options
    private let requestCount: @Sendable () -> Int
    private let isStopped = Atomic<Bool>(false)

    /// What the playlist says besides its segments.
    package struct Options: Sendable {
        /// Whether each segment has a date.
        package var isDated = true
        /// The segment that does not continue the one before, and by how much the dates jump there.
        package var discontinuity: (segment: Int, programOffsetMs: Int)?
        /// Further lines, by the segment that they stand before as long as the playlist names it.
        package var tags: [Int: String] = [:]

        /// Dates, and nothing else.
        package init() {}
    }

    /// Begins the event with a window that is full, and ends it after the last segment.
    ///
    /// - Parameters:
    ///   - folder: where the segments are.
    ///   - segments: how many there are.
    ///   - segmentMs: how long each is.
    ///   - window: how many the playlist names.
    ///   - startSeconds: the time of day of the first one in UTC, seconds since midnight.
    ///   - options: what else the playlist says.
    ///   - requestCount: how often the playlist was asked for.
    package init(
        folder: String,
        segments: Int,
        segmentMs: Int,
        window: Int,
        startSeconds: Int,
        options: Options = Options(),
        requestCount: @escaping @Sendable () -> Int
    ) {
        self.options = options
        self.requestCount = requestCount
        self.folder = folder
        self.segments = segments
        self.segmentMs = segmentMs
        self.window = window
        self.startSeconds = startSeconds
        write(last: window - 1)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<LiveStream>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context
        )
        precondition(result == 0, "the system refuses a thread for the live stream: error \(result)")
        pthread_detach(thread)
    }

    /// Writes no further playlist.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    private func run() {
        var seen = 0
        guard waitForRequest(above: seen) else { return }
        for last in window..<segments {
            usleep(UInt32(segmentMs) * 1000)
            guard waitForRequest(above: seen) else { return }
            // Whoever asks from now on may get the next one: it is not replaced before somebody asks again.
            seen = requestCount()
            write(last: last)
        }
    }

    /// False when the stream is stopped before.
    private func waitForRequest(above count: Int) -> Bool {
        while !isStopped.load(ordering: .relaxed) {
            if requestCount() > count { return true }
            usleep(Self.stepUs)
        }
        return false
    }

    private func write(last: Int) {
        let first = max(0, last - window + 1)
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:\((segmentMs + 999) / 1000)\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-MAP:URI=\"init.mp4\"\n"
        if let cut = options.discontinuity, cut.segment < first { text += "#EXT-X-DISCONTINUITY-SEQUENCE:1\n" }
        for number in first...last {
            text += options.tags[number] ?? ""
            if options.discontinuity?.segment == number { text += "#EXT-X-DISCONTINUITY\n" }
            if options.isDated { text += "#EXT-X-PROGRAM-DATE-TIME:\(date(number))\n" }
            let (whole, rest) = (segmentMs / 1000, segmentMs % 1000)
            let fraction = String(String(rest + 1000).dropFirst())
            text += "#EXTINF:\(whole).\(fraction),\nseg\(number).m4s\n"
        }
        if last == segments - 1 { text += "#EXT-X-ENDLIST\n" }
        replace(folder + "/live.m3u8", with: text)
    }

    private func date(_ number: Int) -> String {
        var milliseconds = number * segmentMs
        if let cut = options.discontinuity, number >= cut.segment { milliseconds += cut.programOffsetMs }
        let second = (startSeconds + milliseconds / 1000) % 86_400
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let fraction = String(String(milliseconds % 1000 + 1000).dropFirst())
        return "2026-01-17T\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).\(fraction)Z"
    }

    /// In one step, so that no reader sees half of it.
    private func replace(_ path: String, with text: String) {
        guard let stream = unsafe fopen(path + ".part", "w") else { return }
        unsafe fputs(text, stream)
        unsafe fclose(stream)
        unsafe rename(path + ".part", path)
    }
}
