import Campaigns
import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// What a replay shows while it goes on.
struct ProgressTests {
    private let files = TemporaryFolder()

    private func archive() -> String {
        var random = SplitMix64(seed: 1)
        return files.write(
            "a.tally",
            GeneratedArchive.text(runs: 30, samples: 1_000, order: .separate, trouble: false, &random)
        )
    }

    @Test("On a terminal a bar shows runs, events and megabytes a second and the time left, and is gone at the end")
    func bar() async throws {
        for arguments in [[], ["--jobs", "2"]] {
            let text = try await onTerminal([archive()] + arguments)
            let bar = try #require(text.firstRange(of: "\r\u{1B}[K[")).lowerBound
            let shown = text[bar...].dropFirst(4).prefix { $0 != "\r" }
            for part in ["] ", " %, ", " run", " events/s, ", " MB/s"] { #expect(shown.contains(part), "\(shown)") }
            #expect(text.contains(" left"))
            // What is shown last is the summary, in place of the bar.
            let rest = try #require(text.firstRange(of: "Checked 1 archive"))
            #expect(text[..<rest.lowerBound].contains("\r\u{1B}[K"))
            #expect(!text[rest.lowerBound...].contains("\u{1B}[K["))
        }
        #expect(try await onTerminal([archive(), "--quiet"]).isEmpty)
    }

    @Test("Elsewhere it is told in lines, unless quiet or in JSON")
    func lines() async throws {
        let run = try await ChildProgram.replay([archive(), "--progress", "0"])
        let told = run.errors.split(separator: "\n").filter { $0.contains(" events/s, ") }
        #expect(told.count > 2, "\(run.errors)")
        #expect(told.allSatisfy { $0.hasPrefix("tally-replay: ") && $0.contains(" run") && $0.contains(" left") })
        #expect(!run.errors.contains("\r"))
        for option in ["--quiet", "--json"] {
            #expect(
                !(try await ChildProgram.replay([archive(), "--progress", "0", option]).errors.contains("events/s"))
            )
        }
    }

    /// What the program writes to standard error, where that is a terminal.
    private func onTerminal(_ arguments: [String]) async throws -> String {
        let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(master) }
        // What unlockpt and ptsname do, which are not in the module.
        var number: Int32 = 0
        #expect(unsafe ioctl(master, UInt(0x4004_5431), &number) == 0)
        #expect(unsafe ioctl(master, UInt(0x8004_5430), &number) == 0)
        let name = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
        let child = try ChildProgram.startReplay(arguments, errors: name)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = await eventually {
            let hasEnded = child.state != .running
            while case let count = unsafe read(master, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
            return hasEnded
        }
        #expect(try await child.end() == 0)
        return String(decoding: bytes, as: UTF8.self)
    }
}
