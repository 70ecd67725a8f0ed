package import Chapters
package import MediaRules

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

/// The states of the pipeline that matter here.
package enum PipelineState: Sendable {
    /// Nothing is decoded.
    case idle
    /// Media is decoded, time stands still.
    case paused
    /// Time runs.
    case playing
}
