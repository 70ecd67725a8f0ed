internal import EventModel
internal import PluginABI
internal import TextEncoding

/// What the plugins of a file say of themselves, for people and tools.
enum PluginSummary {
    private static let capabilities: [(bit: UInt32, word: String)] = [
        (TALLY_CAP_DETERMINISTIC, "deterministic"), (TALLY_CAP_OWN_THREADS, "own threads"),
        (TALLY_CAP_NETWORK, "network"),
        (TALLY_CAP_HANDLES_CONSENT, "handles consent"), (TALLY_CAP_SPILLS, "spills"), (TALLY_CAP_LISTENS, "listens"),
        (TALLY_CAP_SHARES_STATE, "shares state"), (TALLY_CAP_STREAMS, "streams"),
    ]
    private static let offers = [TALLY_EXT_TRACKER, TALLY_EXT_REPORTER, TALLY_EXT_CONFIGURE, TALLY_EXT_COMMAND]

    /// All plugins of the subject's file, in its process.
    static func all(_ subject: Subject) throws(Finding) -> JSONValue {
        var plugins: [JSONValue] = []
        for index in unsafe try 0..<subject.entry().pointee.count {
            var one = subject
            one.index = index
            plugins.append(try summary(one))
        }
        return .array(plugins)
    }

    private static func summary(_ subject: Subject) throws(Finding) -> JSONValue {
        let raw = unsafe try subject.descriptor().pointee
        let build = unsafe raw.build.map { unsafe " (\(String(cString: $0)))" } ?? ""
        let host = try CheckHost(subject)
        let isMade = host.create()
        let offered = offers.filter { id in unsafe isMade && host.table(id, UInt8.self) != nil }
        host.destroy()
        var value: JSONObject = [
            "kind": .string(try subject.isReporter() ? "reporter" : "tracker"),
            "capabilities": list(capabilities.filter { unsafe raw.caps & $0.bit != 0 }.map(\.word)),
            "offers": list(offered), "events": list(unsafe events(raw.wanted_events)),
            "schema": try subject.schema().map { .object($0) } ?? .null,
        ]
        unsafe value["id"] = .string(String(cString: raw.id))
        unsafe value["name"] = .string(String(cString: raw.name))
        unsafe value["vendor"] = .string(String(cString: raw.vendor))
        unsafe value["version"] = .string(String(cString: raw.version) + build)
        unsafe value["headers"] = .string("\(TALLY_ABI_MAJOR).\(raw.abi_minor)")
        unsafe value["requires"] = list(Subject.list(raw.requires_extensions) ?? [])
        unsafe value["shared_config"] = list(Subject.list(raw.shared_config) ?? [])
        unsafe value["store_keys"] = list(Subject.list(raw.store_keys) ?? [])
        unsafe value["read_paths"] = list(Subject.list(raw.read_paths) ?? [])
        unsafe value["written_paths"] = list(Subject.list(raw.written_paths) ?? [])
        return .object(value)
    }

    private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    /// The names of the events that a list wants; `all` for none.
    private static func events(_ types: UnsafePointer<UInt32>?) -> [String] {
        guard let types = unsafe types else { return ["all"] }
        var names: [String] = []
        while names.count < 512, case let type = unsafe types[names.count], type != 0 {
            names.append(EventTypeNames.name(of: EventType(rawValue: type))?.string ?? "types without a number")
        }
        return names
    }
}
