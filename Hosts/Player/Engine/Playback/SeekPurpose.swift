/// What a flushing seek is for.
package enum SeekPurpose: Sendable, Equatable {
    /// The host moves the playhead.
    case position(targetMs: Int64)
    /// The host changes the rate; the playhead stays.
    case rate(Double)
}
