internal import ChildPrograms
internal import Glibc
internal import Testing

/// An encoder that writes a live DASH stream, `live.mpd`, in real time, until it is stopped or a minute is over.
final class LiveEncoder {
    private let folder: TemporaryFolder
    private let process: ChildProgram

    /// Starts, and waits for the stream's first seconds.
    init(folder: TemporaryFolder) async throws {
        self.folder = folder
        let arguments =
            "-re -f lavfi -i testsrc2=s=320x180:r=25 -re -f lavfi -i sine=f=440:r=48000 -t 60 -map 0:v -map 1:a"
            + " -c:v libx264 -preset ultrafast -tune zerolatency -g 25 -keyint_min 25 -sc_threshold 0"
            + " -pix_fmt yuv420p -b:v 200k -c:a aac -b:a 32k -f dash -seg_duration 1 -window_size 10"
            + " -extra_window_size 60 -use_template 1 -use_timeline 0 -adaptation_sets"
        process = try ChildProgram(
            "/usr/bin/env",
            ["ffmpeg", "-nostdin", "-v", "error", "-y"] + arguments.split(separator: " ").map(String.init)
                + ["id=0,streams=v id=1,streams=a", folder.file("live.mpd")]
        )
        // Six seconds of media, so that whoever joins finds what is said to be there.
        let last = folder.file("chunk-stream0-00006.m4s")
        let writes = await eventually { (try? TestFile.bytes(last)) != nil || process.state != .running }
        try #require(writes && process.state == .running, "ffmpeg writes no live stream: \(process.errors)")
    }

    /// The stream's start as its manifest says, in milliseconds since 1970.
    func startMs() throws -> Int64 {
        let text = try TestFile.text(folder.file("live.mpd"))
        let name = try #require(text.firstRange(of: "availabilityStartTime=\""))
        let date = text[name.upperBound...].prefix { $0 != "\"" }
        let fields = date.prefix(19).split { !$0.isNumber }.compactMap { Int32($0) }
        try #require(fields.count == 6)
        var seconds = unsafe tm()
        unsafe seconds.tm_year = fields[0] - 1900
        unsafe seconds.tm_mon = fields[1] - 1
        unsafe seconds.tm_mday = fields[2]
        unsafe (seconds.tm_hour, seconds.tm_min, seconds.tm_sec) = (fields[3], fields[4], fields[5])
        let fraction = date.dropFirst(20).prefix(3)
        return Int64(unsafe timegm(&seconds)) * 1000 + (Int64(fraction) ?? 0)
    }

    /// Ends the encoder.
    func stop() {
        process.send(SIGKILL)
    }
}
