/// Times of the playhead as people read them.
enum ReadableTime {
    /// `m:ss`, from an hour on `h:mm:ss`; a stream without end is `live`.
    static func text(milliseconds: Int64) -> String {
        guard milliseconds >= 0 else { return "live" }
        let seconds = milliseconds / 1000
        let tail = "\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        guard seconds >= 3600 else { return "\(seconds / 60):\(tail)" }
        return "\(seconds / 3600):\(seconds / 60 % 60 < 10 ? "0" : "")\(seconds / 60 % 60):\(tail)"
    }
}
