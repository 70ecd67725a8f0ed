package import Chapters
package import Streaming

/// One raw observation of the media engine, before any interpretation.
package enum EngineSignal: Sendable {
    case command(EngineCommand)
    /// The pipeline cannot be made, or the item not be named to it.
    case openFailed(EngineError.Code, String)
    /// All sinks hold decoded media: after the load, a seek, a pause or a rebuffer.
    case prerolled(EngineMedia, positionMs: Int64?)
    case firstFrame
    case videoFormat(StreamRendition)
    case pipelineState(PipelineState)
    /// The fill level of the buffers in percent of what is needed.
    case buffering(percent: Int)
    /// A seek was handed over; the engine took it or not.
    case seekIssued(SeekPurpose, accepted: Bool)
    case variantChosen(bitrate: Int64)
    case variants([StreamRendition])
    /// Tags and bitrate of one stream.
    case tags(EngineTags, StreamKind?, bitrate: Int64?)
    /// An element dropped frames; the total is its own and starts again at a flush.
    case framesDropped(element: UInt, total: Int64)
    case request(EngineRequest)
    /// A request of the adaptive demuxer is over.
    case transfer(EngineRequest)
    /// A segment is left out: a server answered with a status again and again, or a playlist says that it is missing.
    case partSkipped(url: String, status: Int?)
    /// A playlist was asked for in place of the demuxer.
    case asked(EngineRequest)
    /// A media playlist names keys that other players have.
    case protectedMedia
    /// The pipeline was moved over media that is missing; false when it was not to be moved.
    case holePassed(toMs: Int64, isPassed: Bool)
    /// A web page comes for what the demuxer asked for.
    case webPage(url: String)
    /// The file that is downloaded says how long it is, before anything of it is decoded.
    case fileAnnounced(durationMs: Int64)
    /// A download ended in the midst of what the file announced.
    case fileCutOff
    /// The manifest as it came to the adaptive demuxer.
    case manifest(String)
    /// There is no decoder for a media type.
    case missingDecoder(mediaType: String, name: String)
    case chapters([Chapter])
    /// Subtitles were chosen: their language, `und` when that is not known, or `off`.
    case subtitlesChosen(language: String)
    /// A sound or subtitles that were chosen cannot be played, and why.
    case choiceRefused(EngineCommand, reason: String)
    case duration(ms: Int64?)
    /// The last sample was shown; the media reached up to a position, nil when that is not known.
    case endOfStream(mediaEndMs: Int64?)
    case error(RawEngineError)
    /// The sound as the engine has it after a change.
    case volume(Double, muted: Bool)
    /// The regular look at position and counters.
    case poll(EnginePoll)
    /// The process was stopped for so long, ns, and the pipeline with it, whose clock went on.
    case stopped(forNs: Int64)
    /// The player had to wait for its turn while the pipeline went on.
    case delayed
}

/// An error as the engine words it.
package struct RawEngineError: Sendable, Equatable {
    /// The engine's error domain.
    package var domain: String
    /// The code within the domain.
    package var code: Int
    /// The status of the HTTP answer; below 100 it is a transport failure.
    package var httpStatus: Int?
    /// The engine's sentence.
    package var message: String
    /// The engine's technical text.
    package var debug: String
    /// Whether nobody knows the host of the item, as far as it was asked.
    package var isHostUnknown = false
    /// Why no secure connection can be made to the item's server, as far as that was asked.
    package var tlsProblem: String?
    /// What the item is refused as, with its reason as the message, though the engine said nothing.
    package var refusal: EngineError.Code?

    /// Creates an error.
    package init(domain: String, code: Int, httpStatus: Int? = nil, message: String = "", debug: String = "") {
        self.domain = domain
        self.code = code
        self.httpStatus = httpStatus
        self.message = message
        self.debug = debug
    }

    /// Creates what takes the place of an error that the engine would not survive.
    init(refusal: EngineError.Code, _ reason: String) {
        self.init(domain: "gst-stream-error-quark", code: 5, message: reason)
        self.refusal = refusal
    }
}

/// A media type for which no decoder is installed.
package struct MissingDecoder: Sendable, Equatable {
    /// The media type, such as `video/x-vp9`.
    package var mediaType: String
    /// The name for people.
    package var name: String
}

/// The streams of an item.
package enum StreamKind: Sendable {
    case video
    case audio
}

/// The states of the pipeline that matter here.
package enum PipelineState: Sendable {
    /// Nothing is decoded.
    case idle
    /// Media is decoded, time stands still.
    case paused
    /// Time runs.
    case playing
}

/// Position and counters at one moment.
package struct EnginePoll: Sendable {
    /// The playhead, nil while the engine does not know it.
    package var positionMs: Int64?
    /// Frames shown since the load.
    package var renderedFrames: Int64 = 0
    /// Pictures that went into the video decoders since the load or the last flush.
    package var decoderInput: Int64 = 0
    /// Pictures that came out of them since then.
    package var decoderOutput: Int64 = 0
    /// Measured throughput in bits per second.
    package var throughput: Int64?
    /// Media buffered ahead.
    package var bufferedMs: Int64?
    /// The next stretch of which no stream has media, once what comes behind it is there.
    package var hole: Range<Int64>?

    /// Creates a poll in which nothing is known.
    package init() {}
}
