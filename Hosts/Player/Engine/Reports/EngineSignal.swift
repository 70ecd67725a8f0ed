/// One raw observation of the media engine, before any interpretation.
package enum EngineSignal: Sendable {
    /// A command of the host.
    case command(EngineCommand)
    /// The pipeline cannot be made, or the item not be named to it.
    case openFailed(EngineError.Code, String)
    /// All sinks hold decoded media: after the load, a seek, a pause or a rebuffer.
    case prerolled(EngineMedia, positionMs: Int64?)
    /// The video sink got its first frame.
    case firstFrame
    /// The video sink's format changed.
    case videoFormat(EngineRendition)
    /// The pipeline reached a state.
    case pipelineState(PipelineState)
    /// The fill level of the buffers in percent of what is needed.
    case buffering(percent: Int)
    /// A seek was handed over; the engine took it or not.
    case seekIssued(SeekPurpose, accepted: Bool)
    /// The adaptive demuxer chose a variant.
    case variantChosen(bitrate: Int64)
    /// The variants of the manifest.
    case variants([EngineRendition])
    /// Tags and bitrate of one stream.
    case tags(EngineTags, StreamKind?, bitrate: Int64?)
    /// An element dropped frames; the total is its own and starts again at a flush.
    case framesDropped(element: UInt, total: Int64)
    /// A request got its answer.
    case request(EngineRequest)
    /// A request of the adaptive demuxer is over.
    case transfer(EngineRequest)
    /// The manifest as it came to the adaptive demuxer.
    case manifest(String)
    /// There is no decoder for a media type.
    case missingDecoder(mediaType: String, name: String)
    /// The container's chapters.
    case chapters([EngineChapter])
    /// The duration changed.
    case duration(ms: Int64?)
    /// The last sample was shown; the media reached up to a position, nil when that is not known.
    case endOfStream(mediaEndMs: Int64?)
    /// The engine raised an error.
    case error(RawEngineError)
    /// The sound as the engine has it after a change.
    case volume(Double, muted: Bool)
    /// The regular look at position and counters.
    case poll(EnginePoll)
}
