/// Room at the end of an object whose memory a thread writes all the time: what lies behind it is on another cache line,
/// and no thread that uses that waits for this one.
package struct CacheLineSpacing {
    /// Two lines, because processors fetch them in pairs.
    private let bytes = InlineArray<16, UInt64>(repeating: 0)

    /// Leaves the space unset: nobody reads it.
    package init() {}
}
