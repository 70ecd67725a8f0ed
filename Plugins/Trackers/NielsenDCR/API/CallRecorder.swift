package import PluginKit

/// Says what was called, and what was wrong with it, as records.
package final class CallRecorder {
    private let host: TrackerHost

    /// Emits through a host.
    package init(_ host: TrackerHost) { self.host = host }

    private func emit(_ kind: StaticString, _ fill: (RecordBuilder) -> Void = { _ in }) {
        let record = CallBuilders.ofThread.record
        record.begin(kind)
        fill(record)
        host.emit(record)
    }

    /// A call that was processed and takes nothing.
    func call(_ call: APICall) { emit(call.name) }

    func play(channelName: String) { emit(APICall.play.name) { $0.set("channelName", channelName) } }

    /// `loadMetadata`, with every key in its order.
    func load(_ metadata: AssetMetadata) {
        emit(APICall.loadMetadata.name) { record in
            for member in metadata.members { record.set(named: member.key, .string(member.value)) }
        }
    }

    /// `playheadPosition`, with the kind of asset that it belongs to and whether it adds a viewed second.
    func playhead(_ position: Int64, of kind: AssetMetadata.Kind, isCredited: Bool) {
        emit(APICall.playheadPosition.name) { record in
            record.set("position", position)
            record.set("type", kind.rawValue)
            record.set("credited", isCredited ? 1 as Int64 : 0)
        }
    }

    func userOptOut(_ url: String) { emit(APICall.userOptOut.name) { $0.set("url", url) } }

    func disableAPI(_ isDisabled: Bool) { emit(APICall.appDisableAPI.name) { $0.set("value", isDisabled) } }

    /// The status of the opt-out has changed.
    func optOutStatus(_ optOut: OptOut) {
        emit("optOutStatus") { record in
            record.set("value", optOut.isOptedOut)
            if let source = optOut.source { record.set("source", source.rawValue) }
        }
    }

    /// An event of the API, with how long the application ran where it is known.
    func event(_ code: VendorCode, runningTimeSeconds: Int64? = nil) {
        emit("event") { record in
            record.set("code", code.code)
            record.set("name", code.name)
            if let runningTimeSeconds { record.set("running_time_s", runningTimeSeconds) }
        }
    }

    /// A call that cannot be processed: it is logged with the key that is wrong, and ignored.
    func error(_ code: VendorCode, in call: APICall, key: String, _ message: String) {
        emit("error") { record in
            record.set("code", code.code)
            record.set("name", code.name)
            record.set("call", call.name)
            record.set("key", key)
            record.set("message", message)
        }
        host.log(.warning, "\(call.name): \(message)")
    }

    /// Something that is not as it should be, and is passed over.
    func warning(key: String, _ message: String) {
        emit("warning") { record in
            record.set("key", key)
            record.set("message", message)
        }
        host.log(.warning, message)
    }
}
