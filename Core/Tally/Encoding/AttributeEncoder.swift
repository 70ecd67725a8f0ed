/// Takes attributes that an application adds to a track call.
///
/// Allocates nothing.
///
/// Lent for the call that it is handed to. A name of the data model becomes that attribute; any other one is custom.
/// What is set twice keeps the last value.
@safe public struct AttributeEncoder: ~Copyable {
    private let encoder: UnsafeMutablePointer<TrackEncoder>

    init(_ encoder: UnsafeMutablePointer<TrackEncoder>) {
        unsafe self.encoder = unsafe encoder
    }

    /// Sets text.
    public func set(_ name: StaticString, _ text: String) {
        unsafe encoder.pointee.set(named: name, text: text)
    }

    /// Sets a whole number.
    public func set(_ name: StaticString, _ number: Int64) {
        unsafe encoder.pointee.set(named: name, number: CanonicalNumber(number))
    }

    /// Sets a number.
    public func set(_ name: StaticString, _ number: Double) {
        unsafe encoder.pointee.set(named: name, number: CanonicalNumber(number))
    }

    /// Sets true or false.
    public func set(_ name: StaticString, _ truth: Bool) {
        unsafe encoder.pointee.set(named: name, truth: truth)
    }

    /// Sets a value of any kind under a name made at run time.
    public func set(custom name: String, _ value: PlainValue) {
        unsafe encoder.pointee.set(custom: name, value)
    }
}
