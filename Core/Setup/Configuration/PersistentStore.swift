package import PluginLoading
internal import System
internal import TextEncoding

/// Values that trackers keep from one run to the next, in one JSON file: a viewer id, an opt-out choice.
///
/// Thread-safe.
package final class PersistentStore: Sendable {
    private struct State {
        var values: [String: [String: String]] = [:]
        /// Whether the file lacks the last values.
        var isBehind = false
        var isTold = false
    }

    private let path: String
    private let log: PluginLog
    private let state = Lock(State())
    /// How often the file was written: only one thread at a time writes it, and always the values of that moment.
    private let writes = Lock(0)

    /// Reads the file; one that is not there holds nothing.
    ///
    /// - Throws: when it holds anything but such values.
    package init(path: String, log: PluginLog) throws(TelemetryError) {
        self.path = path
        self.log = log
        guard let bytes = try? WholeFile.read(path) else { return }
        do throws(JSONParseError) {
            let value = try JSONParser().parse(bytes)
            let values = Dictionary(
                (value.object ?? [:]).map { instance in
                    let keys = (instance.value.object ?? [:]).compactMap { member in
                        member.value.string.map { (member.key, $0) }
                    }
                    return (instance.key, Dictionary(keys) { first, _ in first })
                }
            ) { first, _ in first }
            state.with { $0.values = values }
        } catch {
            throw TelemetryError(
                kind: .configuration,
                "\(path): \(error): mend or remove the file of persistent values"
            )
        }
    }

    /// What an instance has kept.
    package func values(of instance: String) -> [String: String] { state.with { $0.values[instance] ?? [:] } }

    /// Keeps a value; the file is replaced as a whole.
    package func put(_ instance: String, _ key: String, _ value: String) {
        state.with { $0.values[instance, default: [:]][key] = value }
        let problem = writes.with { writes -> SystemFailure? in
            writes += 1
            do throws(SystemFailure) {
                try WholeFile.replace(path, with: state.with { Self.text($0.values) })
                return nil
            } catch {
                return error
            }
        }
        let isNew = state.with { state in
            state.isBehind = problem != nil
            defer { state.isTold = state.isTold || problem != nil }
            return !state.isTold
        }
        if let problem, isNew {
            log.write(instance, 3, "\(path): cannot keep persistent values: \(problem)")
        }
    }

    /// Whether the last values could not be written.
    package var isBehind: Bool { state.with { $0.isBehind } }

    private static func text(_ values: [String: [String: String]]) -> String {
        var root = JSONObject()
        for (instance, keys) in values.sorted(by: { $0.key < $1.key }) {
            var object = JSONObject()
            for (key, value) in keys.sorted(by: { $0.key < $1.key }) {
                object[key] = .string(value)
            }
            root[instance] = .object(object)
        }
        return JSONValue.object(root).canonicalText + "\n"
    }
}
