import Archive
import Testing
import TextEncoding

/// The first line of a run.
struct HeaderTests {
    private static func read(_ tally: String, run: String = "r") -> String {
        LineReading.summary(#"{"run":"\#(run)","n":0,"tally":\#(tally)}"#)
    }

    @Test("A header reads back as it was written")
    func roundTrip() throws {
        var header = ArchiveHeader.sample(run: "r\u{2028}\"\\é")
        header.core = "2.0.0-\u{1}"
        header.longestSilence = 7_200_000_000
        header.trackers = [
            .init(
                name: "a",
                plugin: "org.a",
                version: "1",
                sha256: "00",
                enabled: false,
                configuration: ["x": [1, 2.5, .null, true, "\u{0}"]],
                stored: ["viewer": "v", "": "", "é": "\n"]
            ),
            .init(name: "b", plugin: "org.b", version: "", sha256: "", enabled: true, configuration: .object([:])),
        ]
        let archive = TestArchive()
        _ = ArchiveWriter(file: try ArchiveFile(path: archive.path), header: header) { _ in }
        let reader = ArchiveReader(try ArchiveSource(path: archive.path))
        guard case .header(let read)? = try reader.next(damaged: { _ in }) else {
            Issue.record("no header")
            return
        }
        #expect(read == header)
    }

    @Test("What is missing or of no use is named")
    func problems() {
        for (tally, problem) in [
            ("{}", "damaged header: format is missing or no whole number"),
            ("5", "damaged header: format is missing or no whole number"),
            ("null", "damaged header: format is missing or no whole number"),
            (#"{"format":"1"}"#, "damaged header: format is missing or no whole number"),
            (#"{"format":0,"semantics":1,"epoch_us":0}"#, "damaged header: there is no format 0"),
            (#"{"format":-3,"semantics":1,"epoch_us":0}"#, "damaged header: there is no format -3"),
            (#"{"format":1}"#, "damaged header: semantics is missing or no whole number"),
            (#"{"format":1,"semantics":1}"#, "damaged header: epoch_us is missing or no whole number"),
            (#"{"format":1,"semantics":1,"epoch_us":1.5}"#, "damaged header: epoch_us is missing or no whole number"),
            (
                #"{"format":1,"semantics":1,"epoch_us":9223372036854775807}"#,
                "damaged header: epoch_us is not between the years 1 and 9999"
            ),
            (
                #"{"format":1,"semantics":1,"epoch_us":-9223372036854775808}"#,
                "damaged header: epoch_us is not between the years 1 and 9999"
            ),
            (
                #"{"format":1,"semantics":1,"epoch_us":0,"longest_silence_us":0}"#,
                "damaged header: longest_silence_us is not between 1 us and 31 days"
            ),
            (
                #"{"format":1,"semantics":1,"epoch_us":0,"longest_silence_us":2678400000001}"#,
                "damaged header: longest_silence_us is not between 1 us and 31 days"
            ),
            (
                #"{"format":2}"#,
                "the archive was written by a newer Tally, format 2, and this one reads up to format 1: use a newer one"
            ),
        ] {
            #expect(Self.read(tally) == "refused: \(problem)", "\(tally)")
        }
        let good = #"{"format":1,"semantics":1,"epoch_us":0}"#
        #expect(Self.read(good) == "header r")
        for run in ["", String(repeating: "r", count: 65)] {
            #expect(
                Self.read(good, run: run) == "refused: damaged header: the run's id is empty or longer than 64 bytes"
            )
        }
        #expect(Self.read(good, run: String(repeating: "r", count: 64)).hasPrefix("header rrr"))
    }

    @Test("A header that is no JSON is refused with the parser's word for it")
    func malformed() {
        #expect(Self.read(#"{"format":1,"format":2}"#).hasPrefix("refused: damaged line: "))
        #expect(Self.read(#"{"format":01}"#).hasPrefix("refused: damaged line: "))
        #expect(Self.read(#"{"format":1"#).hasPrefix("refused: damaged line: "))
    }

    @Test("Semantics that this core lacks are still a header: the replay refuses it")
    func unknownSemantics() {
        #expect(Self.read(#"{"format":1,"semantics":99,"epoch_us":0}"#) == "header r")
    }

    @Test("Trackers may lack anything, and unknown members of a header are passed over")
    func sparse() throws {
        let line =
            #"{"run":"r","n":0,"tally":{"format":1,"semantics":1,"epoch_us":5,"new":{"x":1},"trackers":[{},{"name":"a","newer":2}]}}"#
        let header: ArchiveHeader? = unsafe Array(line.utf8).withUnsafeBytes { bytes in
            guard case .header(let header)? = unsafe try? ArchiveLineDecoder().decode(bytes) else { return nil }
            return header
        }
        let read = try #require(header)
        #expect(read.core == "" && read.epoch == 5)
        #expect(read.trackers.map(\.name) == ["", "a"])
        #expect(read.trackers.map(\.enabled) == [true, true])
        #expect(read.trackers.map(\.configuration) == [.object([:]), .object([:])])
    }
}
