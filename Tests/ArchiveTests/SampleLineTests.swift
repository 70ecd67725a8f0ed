import Archive
import EventModel
import PluginABI
import Testing
import TextEncoding

/// Playhead samples, which a replay reads in a short way of their own: it must not show.
struct SampleLineTests {
    /// What came of reading: each line with its run and number, and what was wrong.
    private struct Reading: Equatable {
        var lines: [String] = []
        var damage: [String] = []
        var short = 0

        init(_ text: [UInt8], samplesApart: Bool) throws {
            let archive = TestArchive(text)
            let reader = ArchiveReader(try ArchiveSource(path: archive.path))
            while true {
                while samplesApart, let sample = unsafe reader.nextSample() {
                    short += 1
                    unsafe take(.event(EventView(sample)), reader)
                }
                guard let line = try reader.next(damaged: { damage.append("\($0.line): \($0.problem)") }) else {
                    return
                }
                take(line, reader)
            }
        }

        private mutating func take(_ line: ArchiveLine, _ reader: ArchiveReader) {
            var text = "\(reader.lineNumber) \(reader.decoder.run.string) \(reader.decoder.ordinal) \(line.summary)"
            if case .event(let event) = line {
                text += " \(unsafe Hex.text(Array(event.block[..<BlockLayout.attributesOffset])))"
            }
            lines.append(text)
        }
    }

    /// Lines of a run that are read in the short way, up to the last few.
    private static func samples(_ members: [String], run: String = "run-1") -> String {
        members.enumerated().map { #"{"run":"\#(run)","n":\#($0 + 1),\#($1)}"# + "\n" }.joined()
    }

    private static func sample(_ time: String, _ state: String) -> String {
        #""t_us":\#(time),"event":"playhead_sample","state":{\#(state)}"#
    }

    /// Far enough from the end of all bytes that the short way may be taken.
    private static let tail = String(repeating: SampleLines.mark + "\n", count: 8)

    private static func check(_ text: String, short: Int, _ location: SourceLocation = #_sourceLocation) throws {
        let bytes = Array((text + tail).utf8)
        let apart = try Reading(bytes, samplesApart: true)
        var together = try Reading(bytes, samplesApart: false)
        #expect(together.short == 0, sourceLocation: location)
        #expect(apart.short == short, "\(text)", sourceLocation: location)
        together.short = short
        #expect(apart == together, sourceLocation: location)
    }

    @Test("numbers of every length are read alike")
    func numbers() throws {
        for digits in 1...15 {
            let value = String(String(repeating: "9071325468", count: 2).prefix(digits))
            let line = Self.sample(
                value,
                #""playhead_ms":\#(value),"ad_playhead_ms":\#(value),"live_wall_ms":\#(value)"#
            )
            try Self.check(Self.samples([line, line, line]), short: 2)
        }
        for value in ["1234567890123456", "9007199254740991", "9007199254740992", "123456789012345678", "1e3", "1.0"] {
            let line = Self.sample("7", #""playhead_ms":\#(value)"#)
            try Self.check(Self.samples([line, line]), short: 0)
        }
    }

    @Test("the members that a sample mostly has are read in the short way, in their order")
    func members() throws {
        let states = [
            #""playhead_ms":0"#, #""playhead_ms":250,"ad_playhead_ms":0"#, #""playhead_ms":500,"live_wall_ms":1"#,
            #""playhead_ms":750,"ad_playhead_ms":2,"live_wall_ms":3"#,
        ]
        try Self.check(Self.samples(states.map { Self.sample("1", $0) }), short: 3)
        let others = [
            #""playhead_ms":1,"ad_playhead_ms":-1"#, #""live_wall_ms":1,"playhead_ms":1"#, #""playhead_ms":-1"#, "",
            #""playhead_ms":1,"playhead_age_us":7"#, #""playhead_ms":1,"width":7,"height":8"#, #""playhead_ms":01"#,
            #""playhead_ms": 1"#, #""playhead_ms":1,"playhead_ms":2"#,
            #""playhead_ms":1,"live_wall_ms":2,"muted":true"#,
        ]
        for state in others {
            let line = Self.sample("1", state)
            try Self.check(Self.samples([line, line]), short: 0)
        }
    }

    @Test("a sample of another run, and one after another kind of line, are read alike")
    func runs() throws {
        let line = Self.sample("1", #""playhead_ms":1"#)
        let one = Self.samples([line, line, line])
        try Self.check(one + Self.samples([line, line], run: "run-2") + one, short: 2 + 1 + 2)
        try Self.check(one + SampleLines.event + "\n" + one + "x\n" + one + "\r\n" + one, short: 2 + 3 + 2 + 2)
        // A run that cannot stand in a line as it is.
        try Self.check(Self.samples([line, line], run: #"a\"b"#), short: 0)
        try Self.check(Self.samples([line, line], run: ""), short: 0)
    }

    @Test("samples at the end of what was read are read alike", arguments: [1, 2, 3, 4, 5, 100, 2000, 5000])
    func ends(count: Int) throws {
        let line = Self.sample("100000", #""playhead_ms":100000"#)
        let bytes = Array(Self.samples(Array(repeating: line, count: count)).utf8)
        for cut in 0..<100 {
            let cut = Array(bytes.dropLast(cut))
            let apart = try Reading(cut, samplesApart: true)
            let together = try Reading(cut, samplesApart: false)
            #expect(apart.lines == together.lines && apart.damage == together.damage)
            #expect(apart.lines.count < 100 || apart.short > count * 9 / 10)
            if count > 100 { break }
        }
    }

    @Test("a sample with any injury is read alike, or refused alike", arguments: 0..<UInt64(20))
    func injuries(block: UInt64) throws {
        for seed in block * 100..<block * 100 + 100 {
            var mutation = LineMutation(seed: seed)
            var random = SplitMix64(seed: seed)
            var text: [UInt8] = []
            for number in 1...20 {
                if random.next() % 3 == 0 {
                    text += mutation.line()
                } else {
                    let line = Self.sample(
                        "\(random.next() >> (random.next() % 50 + 14))",
                        #""playhead_ms":\#(number)"#
                    )
                    text += Array(#"{"run":"run-1","n":\#(number),\#(line)}"#.utf8)
                }
                text.append(0x0A)
            }
            text += Array(Self.tail.utf8)
            let apart = try Reading(text, samplesApart: true)
            let together = try Reading(text, samplesApart: false)
            #expect(apart.lines == together.lines, "seed \(seed)")
            #expect(apart.damage == together.damage, "seed \(seed)")
        }
    }
}
