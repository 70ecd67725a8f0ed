internal import PluginABI

/// A command as it comes over the ABI: reads its arguments, hands its answer over.
@safe struct CommandCall {
    let name: String
    private let arguments: tally_str
    private let answer: UnsafePointer<tally_sink>

    init(_ name: tally_str, _ arguments: tally_str, _ answer: UnsafePointer<tally_sink>) {
        self.name = unsafe UTF8Text(name).string
        unsafe self.arguments = unsafe arguments
        unsafe self.answer = unsafe answer
    }

    /// Runs it, if it is one of those that there are.
    func run(
        _ commands: [CommandDescriptor],
        on port: HostPort,
        _ body: (String, JSONValue) throws(CommandError) -> JSONValue
    ) -> tally_status {
        do throws(CommandError) {
            guard commands.contains(where: { $0.name == name }) else {
                throw CommandError.unknown(command: name, known: commands.map(\.name))
            }
            return try write(body(name, parsedArguments()))
        } catch {
            return port.fail(error.status, error.description)
        }
    }

    private func parsedArguments() throws(CommandError) -> JSONValue {
        do throws(ConfigurationError) {
            return unsafe try ConfigurationText.parse(arguments)
        } catch {
            throw .argument(error)
        }
    }

    private func write(_ value: JSONValue) -> tally_status {
        var text = value.canonicalText
        return text.withUTF8 { bytes in
            unsafe answer.pointee.write(answer, bytes.baseAddress ?? UnsafePointer(Self.nothing), bytes.count)
        }
    }

    private nonisolated(unsafe) static let nothing = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}
