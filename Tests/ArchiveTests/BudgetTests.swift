import Archive
import Glibc
import Tally
import Testing

/// How large an hour is.
///
/// The figures that it prints are those of docs/archive-format.md.
struct BudgetTests {
    @Test("A viewing hour without ads is below 1.8 MB, and below 0.3 MB compressed")
    func hour() throws {
        let figures = try Figures(of: ViewingHour())
        print("budget: hour \(figures)")
        // Not less than it is meant to be.
        #expect(figures.samples > 14_000 && figures.events > 14_700)
        #expect(figures.plain < 1_800_000)
        // With the weakest compressor at hand; the one that archives are meant for does better.
        #expect(figures.compressed < 300_000)
    }

    @Test("With an event for each segment of 4 s it is below 2.6 MB, and still below 0.3 MB compressed")
    func hourWithRequests() throws {
        let figures = try Figures(of: ViewingHour(requests: true))
        print("budget: hour with requests \(figures)")
        #expect(figures.events > 15_600)
        #expect(figures.plain < 2_600_000)
        #expect(figures.compressed < 300_000)
    }

    private struct Figures: CustomStringConvertible {
        let plain: Int
        let compressed: Int
        let samples: Int
        let events: Int

        var description: String {
            "\(plain) bytes plain, \(compressed) with gzip, \(samples) samples, \(events) events"
        }

        init(of hour: ViewingHour) throws {
            let archive = TestArchive()
            try hour.record(to: archive.path)
            plain = archive.size
            compressed = try #require(Self.gzipped(archive.path))
            let reader = ArchiveReader(try ArchiveSource(path: archive.path))
            var samples = 0
            var events = 0
            while let line = try reader.next(damaged: { Issue.record("\($0)") }) {
                guard case .event(let event) = line else { continue }
                events += 1
                if event.type == .playheadSample { samples += 1 }
            }
            (self.samples, self.events) = (samples, events)
        }

        private static func gzipped(_ path: String) -> Int? {
            guard let stream = unsafe popen("gzip -c '\(path)' | wc -c", "r") else { return nil }
            defer { unsafe pclose(stream) }
            var line = [CChar](repeating: 0, count: 64)
            guard unsafe fgets(&line, 64, stream) != nil else { return nil }
            return Int(String(decoding: line.prefix { $0 >= 0x30 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
    }
}
