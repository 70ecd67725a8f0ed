internal import PluginABI
internal import PluginLoading

// Configuration, commands and state at run time. [core]
extension TrackerInstance {
    /// Hands it a new configuration; the plugin's own rule decides what an invalid value does.
    func configure(_ configuration: String, at time: Int64, state: UnsafePointer<tally_state>) -> PluginError? {
        guard let instance else { return nil }
        now = time
        let error = unsafe instance.configure(configuration, at: time, state: state)
        if error == nil { self.configuration = configuration }
        return error
    }

    /// Gives it a command; a query may not emit.
    ///
    /// - Returns: the answer, JSON text.
    func run(
        command: String,
        arguments: String,
        at time: Int64,
        state: UnsafePointer<tally_state>,
        isQuery: Bool
    ) -> Result<String, PluginError> {
        guard let instance else {
            return .failure(.notOffered(instance: name, extensionID: TALLY_EXT_COMMAND))
        }
        now = time
        let couldEmit = mayEmit
        if isQuery {
            mayEmit = false
        }
        defer { mayEmit = couldEmit && isEnabled }
        return unsafe instance.run(command: command, arguments: arguments, at: time, state: state)
    }

    // MARK: - Replacement

    /// Goes on counting where another instance of the same name stands.
    func continueCounting(of old: TrackerInstance) {
        statistics = old.statistics
        recordOrdinal = old.recordOrdinal
        beaconOrdinal = old.beaconOrdinal
    }

    /// Takes over what another one knows, when both name the same format; before this one is enabled.
    ///
    /// - Returns: whether it did.
    func takeState(of old: TrackerInstance, at time: Int64) throws(PluginError) -> Bool {
        guard let instance, let before = old.instance, old.isEnabled,
            let source = try before.stateTable(), let target = try instance.stateTable(),
            source.format == target.format
        else { return false }
        let sink = ByteSink()
        old.mayEmit = false
        let saved = before.call {
            unsafe sink.lend { unsafe source.save(before.plugin, $0) }
        }
        old.mayEmit = true
        guard saved >= 0 else {
            throw .failed(instance: name, call: "state save", status: saved, reason: old.takeErrorText())
        }
        now = time
        let bytes = sink.bytes
        let loaded = instance.call {
            unsafe bytes.withUnsafeBytes { bytes -> tally_status in
                guard let start = bytes.baseAddress else {
                    return unsafe withUnsafePointer(to: UInt8(0)) { unsafe target.load(instance.plugin, $0, 0) }
                }
                return unsafe target.load(instance.plugin, start, bytes.count)
            }
        }
        guard loaded >= 0 else {
            throw .failed(instance: name, call: "state load", status: loaded, reason: takeErrorText())
        }
        return true
    }
}
