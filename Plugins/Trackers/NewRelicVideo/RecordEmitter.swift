internal import PluginKit

/// Writes events as records and hands them to the host.
final class RecordEmitter: EventRecorder {
    private let host: TrackerHost
    private let builder = RecordBuilder()

    /// Emits through a host.
    init(_ host: TrackerHost) {
        self.host = host
    }

    func record(_ action: Action, _ attributes: EventAttributes) {
        builder.begin(action.name)
        for attribute in attributes.list {
            switch attribute.value {
            case .int(let number): builder.set(attribute.name, number)
            case .double(let number): builder.set(attribute.name, number)
            case .text(let text): builder.set(attribute.name, text)
            }
        }
        host.emit(builder)
    }
}
