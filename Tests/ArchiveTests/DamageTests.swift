import Archive
import EventModel
import Testing
import TextEncoding

/// A damaged line is refused or says something, but never does harm.
///
/// Run with the address sanitizer, this shows that nothing is read beyond the line: each has memory of exactly its
/// size.
struct DamageTests {
    @Test("A line that ends too early is refused, wherever it ends", arguments: SampleLines.all)
    func truncated(line: String) {
        let bytes = Array(line.utf8)
        #expect(LineReading.isTaken(bytes))
        for count in 0..<bytes.count {
            #expect(!LineReading.isTaken(Array(bytes[..<count])), "\(count)")
        }
    }

    @Test("After any damaged line the next good one is read as ever")
    func decoderGoesOn() {
        let decoder = ArchiveLineDecoder()
        let good = SampleLines.all.map { LineReading.summary($0) }
        for bytes in SampleLines.all.map({ Array($0.utf8) }) {
            for count in stride(from: 0, to: bytes.count, by: 3) {
                _ = LineReading.isTaken(Array(bytes[..<count]), decoder)
                let next = count % SampleLines.all.count
                #expect(LineReading.summary(Array(SampleLines.all[next].utf8), decoder) == good[next])
            }
        }
    }

    @Test("Mutated lines are taken exactly when they are JSON and keep the format's rules", arguments: 0..<UInt64(20))
    func mutated(block: UInt64) {
        let decoder = ArchiveLineDecoder()
        var judged = 0
        var good = 0
        for seed in block * 1000..<block * 1000 + 1000 {
            var mutation = LineMutation(seed: seed)
            let line = mutation.line()
            let taken = LineReading.isTaken(line, decoder)
            // Without #expect, which takes longer than the line.
            if taken != LineReading.isTaken(line) { Issue.record("seed \(seed): what came before decides") }
            guard let isJSON = JSONForm.judge(line) else { continue }
            let text = String(decoding: line, as: UTF8.self)
            if taken, !isJSON { Issue.record("seed \(seed): no JSON is taken: \(text)") }
            let wrapped =
                Array(#"{"run":"r","n":1,"t_us":0,"event":"play","unknown":"#.utf8) + line + [UInt8(ascii: "}")]
            if LineReading.isTaken(wrapped, decoder) != isJSON {
                Issue.record("seed \(seed): JSON is judged differently: \(text)")
            }
            (judged, good) = (judged + 1, good + (isJSON ? 1 : 0))
        }
        #expect(judged > 800 && good > 20)
    }

    @Test("What a mutated line is taken as can be written and read again")
    func mutatedRoundTrip() {
        var taken = 0
        let decoder = ArchiveLineDecoder()
        for seed in 0..<UInt64(4000) {
            var mutation = LineMutation(seed: seed)
            let line = mutation.line()
            unsafe line.withUnsafeBytes { bytes in
                guard case .event(let event)? = unsafe try? decoder.decode(bytes) else { return }
                taken += 1
                let difference = unsafe RoundTripCheck.difference(event, report: event.state.raw)
                #expect(difference == nil, "seed \(seed)")
            }
        }
        #expect(taken > 100)
    }
}

/// Whether bytes are JSON, by a parser that shares no code with the line decoder.
enum JSONForm {
    /// Nil where the two differ on purpose: keys that occur twice, half surrogate pairs, very deep nesting.
    static func judge(_ bytes: [UInt8]) -> Bool? {
        do throws(JSONParseError) {
            _ = try JSONParser(maximumDepth: 64).parse(bytes)
            return true
        } catch {
            switch error.reason {
            case .duplicateKey, .loneSurrogate, .tooDeep: return nil
            default: return false
            }
        }
    }
}
