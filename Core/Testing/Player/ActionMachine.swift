internal import EventModel
internal import Tally
internal import TextEncoding

/// Knows which actions make sense, for generated sequences.
struct ActionMachine {
    private var loaded = false
    private var playing = false
    private var seeking = false
    private var buffering = false
    private var inBreak = false
    private var inAd = false
    private var inChapter = false

    /// Takes note of an action.
    mutating func follow(_ action: PlayerAction) {
        switch action {
        case .load: self = ActionMachine(loaded: true)
        case .unload: self = ActionMachine()
        case .play: playing = true
        case .pause, .complete: playing = false
        case .seekStart: seeking = true
        case .seekComplete: seeking = false
        case .bufferStart: buffering = true
        case .bufferComplete: buffering = false
        case .adBreakStart: inBreak = true
        case .adBreakComplete: inBreak = false
        case .adStart: inAd = true
        case .adComplete, .adSkip: inAd = false
        case .chapterStart: inChapter = true
        case .chapterComplete, .chapterSkip: inChapter = false
        default: break
        }
    }

    init(loaded: Bool = false) { self.loaded = loaded }

    /// An action that makes sense now.
    func legal(_ random: inout SplitMix64) -> PlayerAction {
        guard loaded else { return random.next() % 4 == 0 ? .playerReady : .load }
        let choice = random.next() % 100
        switch choice {
        case 0...29: return .sample
        case 30...34: return .quality
        case 35...44: return playing ? .pause : .play
        case 45...52: return seeking ? .seekComplete : .seekStart(to: Double(random.next() % 600))
        case 53...60: return buffering ? .bufferComplete : .bufferStart(.stall)
        case 61...64: return inAd ? .adQuartile(.second) : inBreak ? .adStart(Int64(random.next() % 30)) : .adBreakStart
        case 65...68: return inAd ? .adComplete : inBreak ? .adBreakComplete : .sample
        case 69...72: return inChapter ? .chapterComplete : .chapterStart(Int64(random.next() % 9 + 1))
        case 73...76: return .firstFrame
        case 77: return .complete
        case 78...79: return .unload
        default: return Self.neutral(&random)
        }
    }

    /// Any action at all.
    static func anything(_ random: inout SplitMix64) -> PlayerAction {
        let list: [PlayerAction] = [
            .load, .unload, .play, .pause, .complete, .firstFrame, .seekStart(to: 12.5), .seekComplete,
            .bufferStart(.seek), .bufferComplete, .sample, .quality, .adBreakStart, .adBreakComplete, .adStart(3),
            .adComplete, .adSkip, .adClick, .adQuartile(.first), .adError("vast-303"), .chapterStart(2),
            .chapterComplete, .chapterSkip, .interruptionEnd, .requestCancelled, .foreground, .background,
        ]
        let choice = Int(random.next() % UInt64(list.count + 3))
        return choice < list.count ? list[choice] : neutral(&random)
    }

    /// An action that is legal anywhere.
    private static func neutral(_ random: inout SplitMix64) -> PlayerAction {
        switch random.next() % 12 {
        case 0: .rendition(bitrate: Int64(random.next() % 8_000_000), shift: .up, phase: .decided)
        case 1: .rendition(bitrate: Int64(random.next() % 8_000_000), shift: .down, phase: .visible)
        case 2: .requestCompleted(bytes: Int64(random.next() % 4_000_000))
        case 3: .requestFailed(status: 404)
        case 4: .playerError("E\(random.next() % 100)")
        case 5: .applicationError("A\(random.next() % 100)")
        case 6: .metadata(name: "title \(random.next() % 100)")
        case 7: .interruptionStart("network")
        case 8: .muted(random.next() % 2 == 0)
        case 9: .rate(Double(random.next() % 30) / 10)
        case 10: .applicationLaunched
        default: .custom(name: "note", value: value(&random))
        }
    }

    /// Values of every type, the awkward ones among them.
    private static func value(_ random: inout SplitMix64) -> PlainValue {
        switch random.next() % 14 {
        case 0: .null
        case 1: .bool(true)
        case 2: .int(Int64(bitPattern: random.next()))
        case 3: .double(Double(bitPattern: random.next()))
        case 4: .double(-0.0)
        case 5: .double(.nan)
        case 6: .double(-.infinity)
        case 7: .double(3.0)
        case 8: .double(0.1)
        case 9: .string("quote \" backslash \\ line\n tab\t nul\u{0} é \u{1F600} \u{2028}")
        case 10: .bytes([0, 255, 10, 34])
        case 11: .list([.int(1), .list([.string("x"), .null]), .double(2.5), .bool(false)])
        case 12: .string(String(repeating: "long ", count: Int(random.next() % 600)))
        default: .int(1 << 53)
        }
    }
}
