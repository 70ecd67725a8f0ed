import Coordinator
import EventModel
import PluginABI
import Testing
import TextEncoding

/// The estimated playhead: it advances only while playback goes on, freezes, and never falls between seeks and loads.
@Suite struct PlayheadTests {
    private static let second: Int64 = 1_000_000

    /// Playing, started, with the playhead reported as 10,000 ms at second 10.
    private static func playing() -> PlayerStateMachine {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad, at: 0, playhead: 0)
        machine.take(.play, at: 0, playhead: 0)
        machine.take(.firstFrame, at: 0, playhead: 0)
        machine.take(.playheadSample, at: 10 * second, playhead: 10_000)
        return machine
    }

    @Test("While playback goes on the estimate follows time, and the report tells its age")
    func advances() {
        let state = Self.playing().state(at: 10 * Self.second + 300_000)
        #expect(state.playhead_ms == 10_300)
        #expect(state.reported_playhead_ms == 10_000)
        #expect(state.reported_age_us == 300_000)
    }

    @Test("500 ms after the last report the estimate stands still")
    func freezes() {
        let machine = Self.playing()
        #expect(machine.playhead(at: 10 * Self.second + 499_999) == 10_499)
        #expect(machine.playhead(at: 10 * Self.second + 500_000) == 10_500)
        #expect(machine.playhead(at: 3_600 * Self.second) == 10_500)
        #expect(machine.state(at: 3_600 * Self.second).reported_age_us == 3_590 * Self.second)
    }

    @Test(
        "What interrupts playback halts the estimate, and what ends it lets it go on",
        arguments: [
            (EventType.pause, EventType.play), (.seekStart, .seekComplete), (.bufferStart, .bufferComplete),
            (.adStart, .adComplete), (.adStart, .adSkip), (.interruptionStart, .interruptionEnd),
        ]
    )
    func halts(halt: EventType, resume: EventType) {
        var machine = Self.playing()
        machine.take(halt, at: 10 * Self.second + 100_000, playhead: 10_100)
        #expect(machine.playhead(at: 10 * Self.second + 400_000) == 10_100)
        machine.take(resume, at: 20 * Self.second, playhead: 10_100)
        #expect(machine.playhead(at: 20 * Self.second + 200_000) == 10_300)
    }

    @Test("After the end the estimate stands still")
    func ended() {
        var machine = Self.playing()
        machine.take(.complete, at: 10 * Self.second + 100_000)
        #expect(machine.playhead(at: 11 * Self.second) == 10_100)
    }

    @Test("Before the first frame the estimate stands still until the playhead moves by itself")
    func notStarted() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad, at: 0, playhead: 5_000)
        machine.take(.play, at: 0, playhead: 5_000)
        #expect(machine.playhead(at: 400_000) == 5_000)
        machine.take(.playheadSample, at: 400_000, playhead: 5_000)
        #expect(machine.playhead(at: 600_000) == 5_000)
        machine.take(.playheadSample, at: 600_000, playhead: 5_200)
        #expect(machine.playhead(at: 800_000) == 5_400)
    }

    @Test("A seek before the first frame is no sign that playback goes on")
    func seekBeforeStart() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad, at: 0, playhead: 0)
        machine.take(.play, at: 0, playhead: 0)
        machine.take(.seekStart, at: 100_000, playhead: 0)
        machine.take(.seekComplete, at: 200_000, playhead: 30_000)
        #expect(machine.playhead(at: 500_000) == 30_000)
    }

    @Test("The first playhead that is reported is no sign that playback goes on")
    func firstReport() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad, at: 0)
        machine.take(.play, at: 0)
        machine.take(.playheadSample, at: 100_000, playhead: 7_000)
        #expect(machine.playhead(at: 300_000) == 7_000)
    }

    @Test("The rate is followed, also from the moment at which it changes", arguments: [500, 1_000, 2_000, 0, -1_000])
    func rate(milli: Int32) {
        var machine = Self.playing()
        machine.take(.playheadSample, at: 10 * Self.second + 100_000) { state in
            state.known = TALLY_KNOWN_RATE
            state.rate_milli = milli
        }
        let expected = 10_100 + 200 * Int64(max(0, milli)) / 1_000
        #expect(machine.playhead(at: 10 * Self.second + 300_000) == expected)
    }

    @Test("A report behind the estimate does not pull it back: it waits until the player has caught up")
    func waits() {
        var machine = Self.playing()
        machine.take(.playheadSample, at: 10 * Self.second + 300_000, playhead: 10_100)
        #expect(machine.playhead(at: 10 * Self.second + 300_000) == 10_300)
        #expect(machine.playhead(at: 10 * Self.second + 400_000) == 10_300)
        #expect(machine.playhead(at: 10 * Self.second + 600_000) == 10_400)
    }

    @Test("A player whose playhead stands still although it says that it plays holds the estimate back")
    func stalledPlayer() {
        var machine = Self.playing()
        for sample in 1...400 {
            machine.take(.playheadSample, at: 10 * Self.second + Int64(sample) * 250_000, playhead: 10_000)
        }
        #expect(machine.playhead(at: 111 * Self.second) <= 10_500)
    }

    @Test("A player that is slower than its clock does not leave the estimate behind")
    func slowPlayer() {
        var machine = Self.playing()
        for sample in 1...4_000 {
            machine.take(
                .playheadSample,
                at: 10 * Self.second + Int64(sample) * 250_000,
                playhead: 10_000 + Int64(sample) * 245
            )
        }
        let time = 10 * Self.second + 4_000 * 250_000
        #expect(machine.playhead(at: time) - machine.state(at: time).reported_playhead_ms <= 500)
    }

    @Test("A seek and a load may take the estimate back")
    func jumps() {
        var machine = Self.playing()
        machine.take(.seekStart, at: 11 * Self.second, playhead: 10_500)
        machine.take(.seekComplete, at: 12 * Self.second, playhead: 2_000)
        #expect(machine.playhead(at: 12 * Self.second) == 2_000)
        machine.take(.videoLoad, at: 13 * Self.second, playhead: 0)
        #expect(machine.playhead(at: 13 * Self.second) == 0)
    }

    @Test("A playhead of -1, which says that there is none, stays -1")
    func none() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad, at: 0)
        machine.take(.play, at: 0)
        machine.take(.firstFrame, at: 0)
        machine.take(.playheadSample, at: 0, playhead: -1)
        #expect(machine.playhead(at: 400_000) == -1)
        machine.take(.playheadSample, at: 500_000, playhead: -1)
        #expect(machine.playhead(at: 900_000) == -1)
    }

    @Test("Nothing is said of the playhead before it was reported")
    func unknown() {
        var machine = PlayerStateMachine()
        machine.take(.videoLoad, at: 0)
        let state = machine.state(at: 5 * Self.second)
        #expect(state.known & TALLY_KNOWN_PLAYHEAD == 0)
        #expect(state.playhead_ms == 0 && state.reported_age_us == 0)
    }

    @Test(
        "In any sequence the estimate falls only at seeks and loads and is never far ahead of the player",
        arguments: 0..<200
    )
    func property(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        var machine = PlayerStateMachine()
        var time: Int64 = 0
        var last: Int64 = 0
        var highest: Int64 = 0
        let types = EventType.wellKnown.map(\.type).filter(\.isFromPlayer)
        for _ in 0..<400 {
            time += Int64(random.next() % 700_000)
            let before = machine.playhead(at: time)
            #expect(before >= last, "fell with time alone")
            let type = random.next() % 3 == 0 ? types[Int(random.next() % UInt64(types.count))] : .playheadSample
            let seeking = machine.flags & TALLY_STATE_SEEKING != 0
            let jump = seeking || type == .seekStart || type == .videoLoad
            if random.next() % 4 != 0 {
                let playhead = Int64(random.next() % 100_000)
                highest = jump ? playhead : max(highest, playhead)
                machine.take(type, at: time, playhead: playhead)
            } else {
                machine.take(type, at: time)
                if type == .videoLoad { highest = 0 }
            }
            let after = machine.playhead(at: time)
            #expect(jump || after >= before, "fell at \(type.rawValue)")
            #expect(after <= highest + 500, "too far ahead of every report")
            last = after
        }
    }
}
