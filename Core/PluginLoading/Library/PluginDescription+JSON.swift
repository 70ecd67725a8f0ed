internal import TextEncoding

// What the probe says of a plugin.
extension PluginDescription {
    /// All of it but for the file, which whoever asks knows.
    var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id), "name": .string(name), "vendor": .string(vendor), "version": .string(version),
            "build": .string("\(fullVersion.patch)-\(fullVersion.build)"), "kind": .string(kind.rawValue),
            "handles_consent": .bool(handlesConsent), "spills": .bool(spills),
            "shared_config": .array(sharedConfiguration.map(JSONValue.string)),
            "store_keys": .array(storeKeys.map(JSONValue.string)),
            "capabilities": .int(Int64(machineUse.capabilities)),
            "read_paths": .array(machineUse.readPaths.map(JSONValue.string)),
            "written_paths": .array(machineUse.writtenPaths.map(JSONValue.string)),
        ]
        object["config_schema"] = configurationSchema.map(JSONValue.string)
        object["wanted_events"] = wantedEvents.types.map { .array($0.map { .int(Int64($0)) }) }
        return .object(object)
    }

    /// Reads what the probe said of a file's plugin; nil when something is missing.
    init?(json: JSONValue, path: String, digest: FileDigest) {
        guard let id = json["id"]?.string, let name = json["name"]?.string, let vendor = json["vendor"]?.string,
            let version = json["version"]?.string, let build = json["build"]?.string,
            let fullVersion = VersionInformation(version: version, build: build),
            let kind = json["kind"]?.string.flatMap(PluginKind.init(rawValue:))
        else { return nil }
        self.id = id
        self.name = name
        self.vendor = vendor
        self.version = version
        self.fullVersion = fullVersion
        self.kind = kind
        self.path = path
        self.digest = digest
        configurationSchema = json["config_schema"]?.string
        handlesConsent = json["handles_consent"]?.bool ?? false
        spills = json["spills"]?.bool ?? false
        sharedConfiguration = (json["shared_config"]?.array ?? []).compactMap(\.string)
        storeKeys = (json["store_keys"]?.array ?? []).compactMap(\.string)
        machineUse = MachineUse(
            capabilities: UInt32(truncatingIfNeeded: json["capabilities"]?.int ?? 0),
            readPaths: (json["read_paths"]?.array ?? []).compactMap(\.string),
            writtenPaths: (json["written_paths"]?.array ?? []).compactMap(\.string)
        )
        wantedEvents = WantedEvents(
            types: json["wanted_events"]?.array.map { $0.compactMap(\.int).map(UInt32.init(truncatingIfNeeded:)) }
        )
    }
}
