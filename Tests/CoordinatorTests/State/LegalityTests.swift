import Coordinator
import EventModel
import PluginABI
import Testing

/// Which event is legal where: the table that the flag OUT_OF_ORDER follows.
@Suite struct LegalityTests {
    /// Where a player can stand, each with the events that lead there.
    enum Place: CaseIterable {
        case outside
        case loaded
        case playing
        case started
        case paused
        case seeking
        case buffering
        case adBreak
        case inAd
        case inChapter
        case interrupted
        case ended
        case unloaded

        var way: [EventType] {
            switch self {
            case .outside: []
            case .loaded: [.videoLoad]
            case .playing: [.videoLoad, .play]
            case .started: [.videoLoad, .play, .firstFrame]
            case .paused: [.videoLoad, .play, .firstFrame, .pause]
            case .seeking: [.videoLoad, .play, .firstFrame, .seekStart]
            case .buffering: [.videoLoad, .play, .firstFrame, .bufferStart]
            case .adBreak: [.videoLoad, .play, .adBreakStart]
            case .inAd: [.videoLoad, .play, .adBreakStart, .adStart]
            case .inChapter: [.videoLoad, .play, .firstFrame, .chapterStart]
            case .interrupted: [.videoLoad, .play, .firstFrame, .interruptionStart]
            case .ended: [.videoLoad, .play, .firstFrame, .complete]
            case .unloaded: [.videoLoad, .play, .firstFrame, .videoUnload]
            }
        }
    }

    /// Where an event is legal; an event that is not listed is legal everywhere.
    private static let legal: [EventType: Set<Place>] = {
        let session = Set(Place.allCases).subtracting([.outside, .unloaded])
        let open = session.subtracting([.ended])
        return [
            .videoUnload: session,
            .play: [.loaded, .paused],
            .pause: open.subtracting([.paused]),
            .firstFrame: [.loaded, .playing, .adBreak, .inAd],
            .complete: open,
            .seekStart: session,
            .seekComplete: [.seeking],
            .bufferStart: session.subtracting([.buffering]),
            .bufferComplete: [.buffering],
            .adBreakStart: session.subtracting([.adBreak, .inAd]),
            .adBreakComplete: [.adBreak, .inAd],
            .adStart: session.subtracting([.inAd]),
            .adComplete: [.inAd],
            .adSkip: [.inAd],
            .adClick: [.inAd],
            .adQuartile: [.inAd],
            .adError: session,
            .chapterStart: session.subtracting([.inChapter]),
            .chapterComplete: [.inChapter],
            .chapterSkip: [.inChapter],
            .renditionChange: session,
            .qualitySample: session,
            .playheadSample: session,
            .metadataChange: session,
            .interruptionStart: Set(Place.allCases).subtracting([.interrupted]),
            .interruptionEnd: [.interrupted],
        ]
    }()

    @Test("Every event of the vocabulary is legal exactly where the table says", arguments: Place.allCases)
    func table(place: Place) {
        for definition in EventType.wellKnown where definition.type.isFromPlayer {
            var machine = Self.machine(at: place)
            let expected = Self.legal[definition.type]?.contains(place) ?? true
            let isLegal = machine.take(definition.type)
            #expect(isLegal == expected, "\(definition.name) at \(place)")
        }
    }

    @Test("The way to each place is legal itself", arguments: Place.allCases)
    func ways(place: Place) {
        var machine = PlayerStateMachine()
        let legal = place.way.map { machine.take($0) }
        #expect(legal == place.way.map { _ in true })
    }

    @Test("An event of an unknown type is legal everywhere and changes no flag", arguments: Place.allCases)
    func unknown(place: Place) {
        var machine = Self.machine(at: place)
        let before = machine.flags
        let isLegal = machine.take(EventType(rawValue: EventType.firstUnknown + 7))
        #expect(isLegal && machine.flags == before)
    }

    @Test("An illegal event changes the state as a legal one does: nothing is repaired")
    func illegal() {
        var machine = Self.machine(at: .ended)
        let play = machine.take(.play)
        #expect(!play && machine.flags & TALLY_STATE_PLAYING != 0)
        var outside = PlayerStateMachine()
        let adStart = outside.take(.adStart)
        #expect(!adStart)
        #expect(outside.flags & TALLY_STATE_IN_AD != 0)
        #expect(outside.flags & TALLY_STATE_IN_SESSION == 0)
    }

    @Test("A load begins from nothing, whatever was before", arguments: Place.allCases)
    func load(place: Place) {
        var machine = Self.machine(at: place)
        let player = machine.flags & (TALLY_STATE_INTERRUPTED | TALLY_STATE_BACKGROUND)
        machine.take(.videoLoad)
        #expect(machine.flags == TALLY_STATE_IN_SESSION | player)
    }

    private static func machine(at place: Place) -> PlayerStateMachine {
        var machine = PlayerStateMachine()
        for type in place.way {
            machine.take(type)
            if type == .videoUnload {
                machine.endSession(at: 0)
            }
        }
        return machine
    }
}
