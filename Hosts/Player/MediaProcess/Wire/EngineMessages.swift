internal import Chapters
package import PlaybackEngine
internal import Streaming

/// What the player says to the process of an engine.
package enum EngineOrder: Equatable, Sendable {
    /// Makes the engine; once, and before all else.
    case begin(EngineConfiguration)
    case command(EngineCommand)
}

/// What the process of an engine says to the player.
package enum EngineNews: Equatable, Sendable {
    case report(EngineReport)
    /// It looked at the position.
    case tick(timeNs: Int64, positionMs: Int64?)
    /// A library of the engine complained.
    case complaint(String)
    /// It stops now, as the player's process was stopped.
    case halting
}

extension EngineOrder: CasePortable {
    /// What went, again; nil for what the program does not write.
    package init?(bytes: [UInt8]) { self.init(all: bytes) }
    /// As it goes.
    package var bytes: [UInt8] { written }

    static var cases: [PortableCase<Self>] {
        [
            PortableCase(EngineOrder.begin) { if case .begin(let configuration) = $0 { configuration } else { nil } },
            PortableCase(EngineOrder.command) { if case .command(let command) = $0 { command } else { nil } },
        ]
    }
}

extension EngineNews: CasePortable {
    /// What went, again; nil for what the program does not write.
    package init?(bytes: [UInt8]) { self.init(all: bytes) }
    /// As it goes.
    package var bytes: [UInt8] { written }

    static var cases: [PortableCase<Self>] {
        [
            PortableCase(EngineNews.tick) {
                if case .tick(let time, let position) = $0 { (time, position) } else { nil }
            },
            PortableCase(EngineNews.report) { if case .report(let report) = $0 { report } else { nil } },
            PortableCase(EngineNews.complaint) { if case .complaint(let text) = $0 { text } else { nil } },
            PortableCase(.halting),
        ]
    }
}

extension EngineCommand: CasePortable {
    static var cases: [PortableCase<Self>] {
        [
            PortableCase(EngineCommand.load) { if case .load(let location) = $0 { location } else { nil } },
            PortableCase(.play),
            PortableCase(.pause),
            PortableCase(EngineCommand.seek) { if case .seek(let target) = $0 { target } else { nil } },
            PortableCase(EngineCommand.setRate) { if case .setRate(let rate) = $0 { rate } else { nil } },
            PortableCase(EngineCommand.setVolume) { if case .setVolume(let volume) = $0 { volume } else { nil } },
            PortableCase(EngineCommand.setMuted) { if case .setMuted(let muted) = $0 { muted } else { nil } },
            PortableCase(EngineCommand.pinRendition) { (command: EngineCommand) -> Int64?? in
                if case .pinRendition(let maximum) = command { .some(maximum) } else { .none }
            },
            PortableCase(.stop),
            PortableCase(EngineCommand.selectAudio) { if case .selectAudio(let wish) = $0 { wish } else { nil } },
            PortableCase(EngineCommand.selectSubtitles) {
                if case .selectSubtitles(let wish) = $0 { wish } else { nil }
            },
            PortableCase(EngineCommand.begin) { if case .begin(let place) = $0 { place } else { nil } },
        ]
    }
}

extension EngineEvent: CasePortable {
    static var cases: [PortableCase<Self>] {
        [
            PortableCase(EngineEvent.playheadSample) { if case .playheadSample(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.qualitySample) { if case .qualitySample(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.requestCompleted) { if case .requestCompleted(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.requestFailed) { if case .requestFailed(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.requestCancelled) { if case .requestCancelled(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.loadStarted) { if case .loadStarted(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.loaded) { if case .loaded(let it) = $0 { it } else { nil } },
            PortableCase(.firstFrame),
            PortableCase(.playing),
            PortableCase(.paused),
            PortableCase(EngineEvent.seekStarted) { if case .seekStarted(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.seekCompleted) { if case .seekCompleted(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.rateChanged) { if case .rateChanged(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.bufferingStarted) { if case .bufferingStarted(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.bufferingCompleted) {
                if case .bufferingCompleted(let it) = $0 { it } else { nil }
            },
            PortableCase(EngineEvent.renditionDecided) { if case .renditionDecided(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.renditionVisible) { if case .renditionVisible(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.manifest) { if case .manifest(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.tags) { if case .tags(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.subtitlesChosen) {
                if case .subtitlesChosen(let it) = $0 { it } else { nil }
            },
            PortableCase(EngineEvent.chapters) { if case .chapters(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.durationChanged) { if case .durationChanged(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.volumeChanged) {
                if case .volumeChanged(let volume, let muted) = $0 { (volume, muted) } else { nil }
            },
            PortableCase(EngineEvent.commandRejected) {
                if case .commandRejected(let command, let reason) = $0 { (command, reason) } else { nil }
            },
            PortableCase(EngineEvent.damaged) { if case .damaged(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.complained) { if case .complained(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.endOfStream) { if case .endOfStream(let it) = $0 { it } else { nil } },
            PortableCase(EngineEvent.failed) { if case .failed(let it) = $0 { it } else { nil } },
            PortableCase(.stopped),
        ]
    }
}

extension EngineReport: Portable {
    func write(to bytes: inout [UInt8]) {
        timeNs.write(to: &bytes)
        positionMs.write(to: &bytes)
        event.write(to: &bytes)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let timeNs = try Int64(from: &reader)
        let positionMs = try Int64?(from: &reader)
        self.init(timeNs: timeNs, positionMs: positionMs, event: try EngineEvent(from: &reader))
    }
}

extension EngineBufferingCause: Portable {}
extension EngineError.Code: Portable {}

extension EngineConfiguration: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.bufferMs), PortableField(\.resumeMs), PortableField(\.loadTimeoutMs),
            PortableField(\.fileLoadTimeoutMs), PortableField(\.stallTimeoutMs), PortableField(\.networkTimeoutSeconds),
            PortableField(\.networkRetries), PortableField(\.playheadIntervalMs), PortableField(\.qualityIntervalMs),
            PortableField(\.pollIntervalMs), PortableField(\.maxLatenessMs), PortableField(\.endToleranceMs),
            PortableField(\.stopDrainMs), PortableField(\.stopLimitMs), PortableField(\.decodes),
            PortableField(\.maxBitrate), PortableField(\.startMs), PortableField(\.audio), PortableField(\.subtitles),
            PortableField(\.requests),
        ]
    }
}

extension RequestSettings: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.userAgent), PortableField(\.headers), PortableField(\.cookies),
            PortableField(\.certificatesPath), PortableField(\.isInsecure), PortableField(\.source),
            PortableField(\.cmcd),
        ]
    }
}

extension CMCDSettings.Form: Portable {}

extension CMCDSettings: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.form), PortableField(\.version), PortableField(\.sessionID), PortableField(\.contentID),
        ]
    }
}

extension RequestHeader: FieldPortable {
    static var blank: Self { Self(name: "", value: "") }
    static var fields: [PortableField<Self>] { [PortableField(\.name), PortableField(\.value)] }
}

extension EngineMedia: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.durationMs), PortableField(\.isLive), PortableField(\.isSeekable),
            PortableField(\.isAdaptive), PortableField(\.hasVideo), PortableField(\.hasAudio),
            PortableField(\.windowEndMs),
        ]
    }
}

extension EngineTags: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.title), PortableField(\.language), PortableField(\.container), PortableField(\.videoCodec),
            PortableField(\.audioCodec),
        ]
    }
}

extension EngineQuality: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.rendition), PortableField(\.throughput), PortableField(\.measuredFramesPerSecondMilli),
            PortableField(\.droppedFrames), PortableField(\.renderedFrames), PortableField(\.bufferedMs),
        ]
    }
}

extension EngineRequest: FieldPortable {
    static var blank: Self { Self(url: "") }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.url), PortableField(\.status), PortableField(\.contentLength), PortableField(\.contentType),
            PortableField(\.startNs), PortableField(\.durationMs), PortableField(\.firstByteMs),
            PortableField(\.isOfDemuxer), PortableField(\.isIncomplete), PortableField(\.isGivenUp),
        ]
    }
}

extension EngineError: FieldPortable {
    static var blank: Self { Self(code: .engineFailure, location: "") }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.code), PortableField(\.location), PortableField(\.detail), PortableField(\.engineDomain),
            PortableField(\.engineCode), PortableField(\.httpStatus),
        ]
    }
}

extension StreamRendition: FieldPortable {
    static var blank: Self { Self() }
    static var fields: [PortableField<Self>] {
        [
            PortableField(\.uri), PortableField(\.width), PortableField(\.height),
            PortableField(\.framesPerSecondMilli),
            PortableField(\.bitrate),
        ]
    }
}

extension Chapter: FieldPortable {
    static var blank: Self { Self(startMs: 0, endMs: nil, title: "") }
    static var fields: [PortableField<Self>] {
        [PortableField(\.startMs), PortableField(\.endMs), PortableField(\.title)]
    }
}
