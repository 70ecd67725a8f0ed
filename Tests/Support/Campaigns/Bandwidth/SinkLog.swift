internal import Glibc
internal import System
internal import TestFiles

/// What the sinks of a media engine write of each frame into GStreamer's own log, which the player has no part in.
///
/// The log's times begin when GStreamer does. How far that is from the time of day is found while it is written: no line
/// can be seen before it was written, so the shortest time from a line to its reading is the difference.
final class SinkLog: Sendable {
    /// What an engine's process has to have in its environment.
    static func environment(in folder: String) -> [String: String] {
        ["GST_DEBUG": "basesink:5", "GST_DEBUG_NO_COLOR": "1", "GST_DEBUG_FILE": "\(folder)/sinks-%p.log"]
    }

    /// A frame on its way to the screen.
    struct Frame: Sendable {
        /// When it was shown, us since 1970.
        let timeUs: Int64
        /// Where in the stream it stands, and how long it is to be shown, us.
        let placeUs: Int64
        let durationUs: Int64
    }

    private struct Following {
        var size: Int64 = 0
        var offsetUs = Int64.max
        var longestSleepUs: Int64 = 0
    }

    private static let stepUs: Int64 = 2000
    private let folder: String
    private let following = Lock(Following())

    init(folder: String) { self.folder = folder }

    /// How much later than asked the log was looked at, at most: what a busy machine does to any thread, us.
    var latenessUs: Int64 { following.with { max(0, $0.longestSleepUs - Self.stepUs) } }

    /// Looks at the log again and again, until the task is cancelled; on a thread of its own.
    func follow(while isWanted: @escaping @Sendable () -> Bool) {
        var path: String?
        var lastUs = SystemTime.monotonic()
        while isWanted() {
            usleep(UInt32(Self.stepUs))
            let nowUs = SystemTime.monotonic()
            following.with { $0.longestSleepUs = max($0.longestSleepUs, nowUs - lastUs) }
            lastUs = nowUs
            path = path ?? self.path
            if let path { look(at: path) }
        }
    }

    /// When GStreamer began, us since 1970.
    var beganUs: Int64 { following.with { $0.offsetUs } }

    private var path: String? {
        TemporaryFolder.names(in: folder).first { $0.hasPrefix("sinks-") && $0.hasSuffix(".log") && isWritten($0) }
            .map { "\(folder)/\($0)" }
    }

    /// Each process of GStreamer makes a file; the one with sinks writes into it.
    private func isWritten(_ name: String) -> Bool {
        var information = stat()
        return unsafe stat("\(folder)/\(name)", &information) == 0 && information.st_size > 0
    }

    private func look(at path: String) {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        defer { close(file) }
        let size = Int64(lseek(file, 0, SEEK_END))
        guard size > following.with({ $0.size }) else { return }
        var buffer = [UInt8](repeating: 0, count: 2048)
        let from = max(0, size - Int64(buffer.count))
        let count = unsafe pread(file, &buffer, buffer.count, off_t(from))
        let nowUs = SystemTime.wall()
        let lines = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: "\n")
        let newest = lines.dropFirst(from == 0 ? 0 : 1).compactMap { Line($0)?.timeUs }.max()
        following.with { following in
            following.size = size
            if let newest { following.offsetUs = min(following.offsetUs, nowUs - newest) }
        }
    }

    /// The pictures that were shown, in order.
    func pictures() throws -> [Frame] {
        guard let path, beganUs < .max else {
            throw RoundFailure("GStreamer has written no log")
        }
        let offsetUs = beganUs
        var sinks: [Substring: (times: (startUs: Int64, endUs: Int64), frames: [Frame])] = [:]
        for text in try TestFile.text(path).split(separator: "\n") {
            guard let line = Line(text) else { continue }
            if let times = line.times { sinks[line.sink, default: (times, [])].times = times }
            if line.isRendering, let times = sinks[line.sink]?.times {
                sinks[line.sink]?.frames.append(
                    Frame(
                        timeUs: line.timeUs + offsetUs,
                        placeUs: times.startUs,
                        durationUs: times.endUs - times.startUs
                    )
                )
            }
        }
        // A piece of sound is shorter than a picture.
        guard let pictures = sinks.values.max(by: { Self.median($0.frames) < Self.median($1.frames) })?.frames else {
            throw RoundFailure("no sink has shown anything")
        }
        return pictures
    }

    private static func median(_ frames: [Frame]) -> Int64 {
        frames.map(\.durationUs).sorted().dropFirst(frames.count / 2).first ?? 0
    }

    /// A line such as `0:00:01.234567890 123 0x5a DEBUG basesink gstbasesink.c:1:function:<sink> rendering object 0x5b`.
    private struct Line {
        let timeUs: Int64
        let sink: Substring
        private let text: Substring

        init?(_ line: Substring) {
            guard let timeUs = Self.time(line.prefix { $0 != " " }), let open = line.firstIndex(of: "<"),
                let close = line[open...].firstIndex(of: ">")
            else { return nil }
            self.timeUs = timeUs
            sink = line[open...close]
            text = line[line.index(after: close)...]
        }

        var isRendering: Bool { text.hasPrefix(" rendering object") }

        /// From when to when in the stream the frame is to be shown that comes next.
        var times: (startUs: Int64, endUs: Int64)? {
            guard text.hasPrefix(" got times start: ") else { return nil }
            let times = text.split(separator: " ").compactMap { Self.time($0.prefix { $0 != "," }) }
            return times.count == 2 ? (times[0], times[1]) : nil
        }

        /// Hours, minutes, seconds and nanoseconds as us; nil for anything else.
        private static func time(_ text: Substring) -> Int64? {
            let parts = text.split(whereSeparator: { $0 == ":" || $0 == "." })
            guard parts.count == 4, let hours = Int64(parts[0]), let minutes = Int64(parts[1]),
                let seconds = Int64(parts[2]), let nanoseconds = Int64(parts[3]), parts[3].count == 9
            else { return nil }
            return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + nanoseconds / 1000
        }
    }
}
