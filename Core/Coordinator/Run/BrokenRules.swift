/// Rules of "live equals replay" that a test switches off, to show that the tests notice.
///
/// Never set otherwise.
package struct BrokenRules: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Rule 2: an event that comes after a timer has fired is no longer dated behind it.
    package static let time = BrokenRules(rawValue: 1)
    /// Rule 3: values are no longer made canonical in the track call.
    package static let canonicalValues = BrokenRules(rawValue: 2)
    /// Rule 4: the playhead's estimate follows the clock of the moment and not the event's time.
    package static let state = BrokenRules(rawValue: 4)
}
