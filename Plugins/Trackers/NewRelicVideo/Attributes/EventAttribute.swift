package import PluginKit

/// A named value of an event.
package struct EventAttribute {
    /// The name.
    package let name: UTF8Text
    /// The value.
    package var value: EventValue
}
