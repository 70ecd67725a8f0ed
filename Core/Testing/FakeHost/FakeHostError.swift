/// Why ``FakeHost/start(_:)`` gives no running instance.
public enum FakeHostError: Error, Equatable, CustomStringConvertible {
    /// The library makes no instance: it has no plugin with this id, or no memory.
    case createRefused(plugin: String)
    /// The plugin's `init` or `enable` returned an error; with the plugin's own words, which may be none.
    case failed(plugin: String, call: String, status: Int32, text: String)

    /// What happened, for people.
    public var description: String {
        switch self {
        case .createRefused(let plugin): "the library makes no instance of \"\(plugin)\"; is that its plugin's id?"
        case .failed(let plugin, let call, let status, let text):
            "\(call) of \"\(plugin)\" returned \(status): \(text.isEmpty ? "no reason given" : text)"
        }
    }
}
