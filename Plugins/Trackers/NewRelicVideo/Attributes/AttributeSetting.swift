package import PluginKit

/// An attribute as it was configured or given by a command: its name, its value, and the actions that have it.
package struct AttributeSetting: Sendable {
    /// The name.
    package let name: String
    /// The value: a number or a text.
    package let value: PlainValue
    /// The actions that have it; without a filter all, however they are spelt.
    package let filter: ActionFilter

    /// Makes a setting.
    package init(_ name: String, _ value: PlainValue, filter: ActionFilter = .every) {
        self.name = name
        self.value = value
        self.filter = filter
    }
}
