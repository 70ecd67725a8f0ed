public import EventModel
internal import PluginABI

/// Takes what a ``PlayerDelegate`` says of one subject.
///
/// Lent for the call that it is handed to. What is set twice keeps the last value.
@safe public struct InfoEncoder<Subject>: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) { unsafe self.encoder = unsafe encoder }

    /// An attribute of the application's own.
    public func custom(_ name: String, _ value: PlainValue) { unsafe encoder.pointee.set(custom: name, value) }

    var state: UnsafeMutablePointer<tally_state> { unsafe encoder.pointee.state }

    func set(_ key: AttributeKey, _ text: String) { unsafe encoder.pointee.set(key, text) }

    func set(_ key: AttributeKey, _ number: Int64) { unsafe encoder.pointee.set(key, number) }

    func set(_ key: AttributeKey, _ truth: Bool) { unsafe encoder.pointee.set(key, truth) }

    func set(_ key: AttributeKey, seconds: Double) { unsafe encoder.pointee.set(key, Canonical.milliseconds(seconds)) }
}
