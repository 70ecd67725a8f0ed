internal import Synchronization
public import TextEncoding

/// What was read last of each kind of configuration: instances that are configured alike share it.
enum SharedConfigurations {
    private struct Reading: Sendable {
        /// UTF-8 of the JSON text: to Swift, texts are equal that have other bytes.
        let source: [UInt8]
        let configuration: any Sendable
    }

    private static let last = Mutex<[ObjectIdentifier: Reading]>([:])

    static func find<Configuration: Sendable>(_ source: [UInt8]) -> Configuration? {
        let reading = last.withLock { $0[ObjectIdentifier(Configuration.self)] }
        guard let reading, reading.source == source else { return nil }
        return reading.configuration as? Configuration
    }

    static func keep<Configuration: Sendable>(_ configuration: Configuration, of source: [UInt8]) {
        let reading = Reading(source: source, configuration: configuration)
        last.withLock { $0[ObjectIdentifier(Configuration.self)] = reading }
    }
}

extension DeclaredConfiguration {
    /// Reads a configuration, or gives what was read of the same one before.
    ///
    /// So its texts and lists are in memory once, however many instances have them. Any thread.
    ///
    /// - Throws: what is wrong with it.
    public static func shared(
        reading json: JSONValue,
        _ read: (JSONValue) throws(ConfigurationError) -> Self = { (json) throws(ConfigurationError) in
            try Self(reading: json)
        }
    ) throws(ConfigurationError) -> Self {
        let source = Array(json.canonicalText.utf8)
        if let known: Self = SharedConfigurations.find(source) { return known }
        let new = try read(json)
        SharedConfigurations.keep(new, of: source)
        return new
    }
}
