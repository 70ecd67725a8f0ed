package import PluginLoading

/// What a plugin answered to a change that was archived.
package struct ControlAnswer: Sendable {
    /// The configured name of the tracker.
    package let instance: String
    /// What the plugin refused, nil when it did not.
    package var error: PluginError?
    /// The answer to a command, JSON text.
    package var text = ""
}
