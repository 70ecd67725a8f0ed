/// Which plugin files are loaded.
public enum PluginTrust: Sendable, Equatable {
    /// Files that nobody but the user and root can change: what a plugin file says runs with the user's rights.
    case owned
    /// Every file: for tests and for machines where file modes say nothing.
    case everything
}
