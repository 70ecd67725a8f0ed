internal import PluginABI
internal import PluginLoading

// Configuration and commands at run time. [core]
extension TrackerInstance {
    /// Hands it a new configuration; the plugin's own rule decides what an invalid value does.
    func configure(_ configuration: String, at time: Int64, state: UnsafePointer<tally_state>) -> PluginError? {
        guard let instance else { return nil }
        now = time
        let error = inCall { unsafe instance.configure(configuration, at: time, state: state) }
        finishCall(error)
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
        let answer = inCall { unsafe instance.run(command: command, arguments: arguments, at: time, state: state) }
        if case .failure(let error) = answer { finishCall(error) } else { finishCall(nil) }
        return answer
    }
}
