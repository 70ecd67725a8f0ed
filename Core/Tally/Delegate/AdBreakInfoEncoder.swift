/// Takes what is known of a pod of ads (Adobe VHL 1.4, `ADB_VHB_AdBreakInfo`).
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct AdBreakInfoEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) {
        unsafe self.encoder = unsafe encoder
    }

    /// Name of the player that shows the break.
    public func playerName(_ text: String) {
        unsafe encoder.pointee.set(.adBreakPlayerName, text)
    }

    /// Identifier of the break.
    public func id(_ text: String) {
        unsafe encoder.pointee.set(.adBreakID, text)
    }

    /// Name of the break.
    public func name(_ text: String) {
        unsafe encoder.pointee.set(.adBreakName, text)
    }

    /// Index of the break in the main content, from 1.
    public func position(_ number: Int) {
        unsafe encoder.pointee.set(.adBreakPosition, Int64(number))
    }

    /// Where in the main content the break lies, seconds; kept in whole milliseconds.
    public func startTime(seconds: Double) {
        unsafe encoder.pointee.set(.adBreakStartMs, Canonical.milliseconds(seconds))
    }

    /// `pre`, `mid` or `post`.
    public func type(_ text: String) {
        unsafe encoder.pointee.set(.adBreakType, text)
    }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) {
        unsafe encoder.pointee.set(custom: name, value)
    }
}
