package import PluginKit

/// Says what was called, and what was wrong with it, as records.
package final class CallRecorder {
    private let host: TrackerHost
    private let record = RecordBuilder()

    /// Emits through a host.
    package init(_ host: TrackerHost) {
        self.host = host
    }

    /// A call that was processed and takes nothing.
    func call(_ call: APICall) {
        record.begin(call.name)
        host.emit(record)
    }

    /// `play`.
    func play(channelName: String) {
        record.begin(APICall.play.name)
        record.set("channelName", channelName)
        host.emit(record)
    }

    /// `loadMetadata`, with every key in its order.
    func load(_ metadata: AssetMetadata) {
        record.begin(APICall.loadMetadata.name)
        for member in metadata.members {
            record.set(named: member.key, .string(member.value))
        }
        host.emit(record)
    }

    /// `playheadPosition`, with the kind of asset that it belongs to and whether it adds a viewed second.
    func playhead(_ position: Int64, of kind: AssetMetadata.Kind, isCredited: Bool) {
        record.begin(APICall.playheadPosition.name)
        record.set("position", position)
        record.set("type", kind.name)
        record.set("credited", isCredited ? 1 as Int64 : 0)
        host.emit(record)
    }

    /// `userOptOut`.
    func userOptOut(_ url: String) {
        record.begin(APICall.userOptOut.name)
        record.set("url", url)
        host.emit(record)
    }

    /// `appDisableApi`.
    func disableAPI(_ isDisabled: Bool) {
        record.begin(APICall.appDisableAPI.name)
        record.set("value", isDisabled)
        host.emit(record)
    }

    /// The status of the opt-out has changed.
    func optOutStatus(_ isOptedOut: Bool, source: OptOut.Source?) {
        record.begin("optOutStatus")
        record.set("value", isOptedOut)
        if let source { record.set("source", source.name) }
        host.emit(record)
    }

    /// An event of the API, with how long the application ran where it is known.
    func event(_ code: EventCode, runningTimeSeconds: Int64? = nil) {
        record.begin("event")
        record.set("code", code.rawValue)
        record.set("name", code.name)
        if let runningTimeSeconds { record.set("running_time_s", runningTimeSeconds) }
        host.emit(record)
    }

    /// A call that cannot be processed: it is logged with the key that is wrong, and ignored.
    func error(_ code: ErrorCode, in call: APICall, key: String, _ message: String) {
        record.begin("error")
        record.set("code", code.rawValue)
        record.set("name", code.name)
        record.set("call", call.name)
        record.set("key", key)
        record.set("message", message)
        host.emit(record)
        host.log(.warning, "\(call.name): \(message)")
    }

    /// Something that is not as it should be, and is passed over.
    func warning(key: String, _ message: String) {
        record.begin("warning")
        record.set("key", key)
        record.set("message", message)
        host.emit(record)
        host.log(.warning, message)
    }
}
