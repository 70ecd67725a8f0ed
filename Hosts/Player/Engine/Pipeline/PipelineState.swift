/// The states of the pipeline that matter here.
package enum PipelineState: Sendable {
    /// Nothing is decoded.
    case idle
    /// Media is decoded, time stands still.
    case paused
    /// Time runs.
    case playing
}
