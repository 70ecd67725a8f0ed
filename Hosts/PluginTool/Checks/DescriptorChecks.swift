internal import HostSupport
internal import PluginABI
internal import TextEncoding

/// What a plugin says of itself, before an instance is made.
enum DescriptorChecks {
    static let group = CheckGroup(
        "What it says of itself",
        .plugin,
        [
            Check(
                "descriptor-table",
                needs: ["descriptors"],
                "The descriptor has its size and its texts.",
                remedy: "Set `struct_size = sizeof (tally_descriptor)`, `id`, `name`, `vendor` and `version`."
            ) { subject throws(Finding) in
                let raw = unsafe try UnsafeRawPointer(subject.descriptor())
                for (name, member) in unsafe [
                    ("id", MemoryLayout<tally_descriptor>.offset(of: \.id)),
                    ("name", MemoryLayout<tally_descriptor>.offset(of: \.name)),
                    ("vendor", MemoryLayout<tally_descriptor>.offset(of: \.vendor)),
                    ("version", MemoryLayout<tally_descriptor>.offset(of: \.version)),
                ] where unsafe !Subject.has(raw, member) {
                    throw .failed("\(name) is NULL, or behind struct_size")
                }
            },
            Check(
                "header-version",
                needs: ["descriptor-table"],
                "It was compiled with headers that this host knows.",
                remedy: "Set `abi_minor = TALLY_ABI_MINOR`, or look with a newer `tally-plugin`."
            ) { subject throws(Finding) in
                let minor = unsafe try subject.descriptor().pointee.abi_minor
                guard minor <= TALLY_ABI_MINOR else {
                    throw .warning("abi_minor is \(minor), and this program knows \(TALLY_ABI_MINOR)")
                }
            },
            Check(
                "kind",
                needs: ["descriptor-table"],
                "It is a tracker or a reporter.",
                remedy: "Set `kind` to one of `TALLY_KIND_TRACKER` and `TALLY_KIND_REPORTER`."
            ) { subject throws(Finding) in
                let kind = unsafe try subject.descriptor().pointee.kind
                guard kind == TALLY_KIND_TRACKER || kind == TALLY_KIND_REPORTER else {
                    throw .failed("kind is \(kind)")
                }
            },
            Check(
                "capabilities",
                needs: ["kind"],
                "A tracker is deterministic, and declares nothing that only reporters do.",
                remedy: "Set `caps = TALLY_CAP_DETERMINISTIC` for a tracker; threads and network are for reporters."
            ) { subject throws(Finding) in
                guard try !subject.isReporter() else { return }
                let capabilities = unsafe try subject.descriptor().pointee.caps
                guard capabilities & TALLY_CAP_DETERMINISTIC != 0 else {
                    throw .failed("TALLY_CAP_DETERMINISTIC is not set")
                }
                let more =
                    capabilities
                    & (TALLY_CAP_OWN_THREADS | TALLY_CAP_NETWORK | TALLY_CAP_SPILLS | TALLY_CAP_LISTENS
                        | TALLY_CAP_SHARES_STATE | TALLY_CAP_STREAMS)
                guard more == 0 else { throw .failed("caps has bits that are for reporters alone: \(more)") }
            },
            Check(
                "id",
                needs: ["descriptor-table"],
                "The id is in reverse-DNS form.",
                remedy: "Take a name of yours, such as `org.example.tracker`: small letters, digits, hyphens, dots."
            ) { subject throws(Finding) in
                let id = try subject.id()
                let parts = id.split(separator: ".", omittingEmptySubsequences: false)
                let isLegal = id.utf8.allSatisfy {
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
                }
                guard isLegal, parts.count >= 2, parts.allSatisfy({ !$0.isEmpty }), id.utf8.count <= 255 else {
                    throw .failed("it is \"\(id)\"")
                }
            },
            Check(
                "ids-differ",
                needs: ["id"],
                "No other plugin of the file has the same id.",
                remedy: "Give each plugin of the file an id of its own."
            ) { subject throws(Finding) in
                let id = try subject.id()
                for index in unsafe try 0..<subject.entry().pointee.count where index != subject.index {
                    var other = subject
                    other.index = index
                    if try other.id() == id { throw .failed("plugin \(index) has the id \"\(id)\" too") }
                }
            },
            Check(
                "names",
                needs: ["descriptor-table"],
                "Name and vendor are short lines of UTF-8.",
                remedy: "Write what people call it, and who makes it, without line breaks."
            ) { subject throws(Finding) in
                let raw = unsafe try subject.descriptor().pointee
                let texts = unsafe [
                    ("name", String(validatingCString: raw.name)), ("vendor", String(validatingCString: raw.vendor)),
                ]
                for (what, text) in texts {
                    guard let text else { throw .failed("\(what) is no UTF-8") }
                    let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
                    guard !text.isEmpty, isPlain, text.utf8.count <= 255 else {
                        throw .failed("\(what) is empty, too long, or has control characters")
                    }
                }
            },
            Check(
                "version",
                needs: ["descriptor-table"],
                "The version is MAJOR.MINOR.MICRO, and the build PATCH-COMMIT.",
                remedy: "Write `1.0.0`; `build` is such as `0-3a4f2c1`, or NULL."
            ) { subject throws(Finding) in
                let raw = unsafe try subject.descriptor().pointee
                let version = unsafe String(cString: raw.version)
                let parts = version.split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count == 3, parts.allSatisfy({ UInt32($0).map(String.init) == String($0) }) else {
                    throw .failed("the version is \"\(version)\"")
                }
                guard let build = unsafe raw.build.map({ unsafe String(cString: $0) }) else { return }
                let words = build.split(separator: "-", omittingEmptySubsequences: false)
                guard words.count == 2, UInt32(words[0]) != nil, words[1].count == 7,
                    words[1].allSatisfy({ $0.isHexDigit && !$0.isUppercase })
                else { throw .failed("the build is \"\(build)\"") }
            },
            Check(
                "lists",
                needs: ["kind"],
                "Its lists end, and are of UTF-8.",
                remedy: "End each list of texts with NULL, and `wanted_events` with 0."
            ) { subject throws(Finding) in
                let raw = unsafe try subject.descriptor().pointee
                let lists = unsafe [
                    ("requires_extensions", Subject.list(raw.requires_extensions)),
                    ("shared_config", Subject.list(raw.shared_config)), ("store_keys", Subject.list(raw.store_keys)),
                    ("read_paths", Subject.list(raw.read_paths)), ("written_paths", Subject.list(raw.written_paths)),
                ]
                for (name, list) in lists where list == nil { throw .failed("\(name) has no end within 64 texts") }
                guard let types = unsafe raw.wanted_events else { return }
                guard (0..<0x1_0000).contains(where: { unsafe types[$0] == 0 }) else {
                    throw .failed("wanted_events has no end")
                }
            },
            Check(
                "required-extensions",
                needs: ["lists"],
                "It requires nothing that hosts do not offer.",
                remedy: "Name extensions of the headers, those for its kind, such as `TALLY_EXT_EMIT`."
            ) { subject throws(Finding) in
                let offered =
                    try subject.isReporter()
                    ? [TALLY_EXT_HOST_REPORTER] : [TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM, TALLY_EXT_STORE]
                let wanted = unsafe Subject.list(try subject.descriptor().pointee.requires_extensions) ?? []
                if let unknown = wanted.first(where: { !offered.contains($0) }) {
                    throw .failed("no host offers \"\(unknown)\" to it")
                }
            },
            Check(
                "schema",
                needs: ["kind"],
                "The configuration's schema is a JSON object, as JSON Schema has it.",
                remedy:
                    "Declare `{\"type\":\"object\",\"additionalProperties\":false,...}`; NULL only without a configuration."
            ) { subject throws(Finding) in
                guard let text = unsafe try subject.descriptor().pointee.config_schema else { return }
                do throws(ConfigSchemaCheck.SchemaError) {
                    _ = unsafe try ConfigSchemaCheck(text: String(cString: text))
                } catch {
                    throw .failed(error.message)
                }
                guard try subject.schema()?["type"] == "object" else { throw .failed("its type is not \"object\"") }
            },
            Check(
                "schema-keywords",
                needs: ["schema"],
                "What the schema says has the form that JSON Schema asks for.",
                remedy: "Mend the keyword: hosts take one of a wrong form for a comment, and check nothing."
            ) { subject throws(Finding) in
                if let problem = try subject.schema().flatMap({ SchemaForm.problem(in: $0, at: "schema") }) {
                    throw .failed(problem)
                }
            },
            Check(
                "schema-refuses",
                needs: ["schema-keywords"],
                "The schema refuses a key that nobody knows, and values of another type.",
                remedy:
                    "Set `additionalProperties` to false or to a schema, and give each key a `type`: a slip of a user "
                    + "is found before `init` then."
            ) { subject throws(Finding) in
                guard let schema = try subject.schema() else { return }
                let check = ConfigSchemaCheck(schema)
                let unknown: JSONValue = ["no-key-has-this-name": ["no", "value"]]
                guard !check.violations(in: unknown).allSatisfy({ $0.path.isEmpty }) else {
                    throw .warning("a key that nobody knows is accepted")
                }
                for property in schema["properties"]?.object ?? [:] {
                    let values: [JSONValue] = ["text", 7, true, [], [:], .null]
                    let form = ConfigSchemaCheck(["properties": ["key": property.value]])
                    guard values.contains(where: { !form.violations(in: ["key": $0]).isEmpty }) else {
                        throw .warning("the key \(property.key) accepts every value: it has no type")
                    }
                }
            },
            Check(
                "schema-defaults",
                needs: ["schema-keywords"],
                "Each default fits its own schema.",
                remedy:
                    "Correct the default, or the limits beside it. Hosts show defaults; to fill them in is `init`'s to do."
            ) { subject throws(Finding) in
                for property in try subject.schema()?["properties"]?.object ?? [:] {
                    guard let value = property.value["default"], let form = property.value.object else { continue }
                    if let broken = ConfigSchemaCheck(form).violations(in: value).first {
                        throw .failed("the default of \(property.key) is refused: \(broken.message)")
                    }
                }
            },
            Check(
                "paths",
                needs: ["lists", "schema"],
                "The members that it declares as paths are in its schema.",
                remedy:
                    "Name members of the configuration in `read_paths` and `written_paths`, with dots for those inside."
            ) { subject throws(Finding) in
                let raw = unsafe try subject.descriptor().pointee
                let paths = unsafe (Subject.list(raw.read_paths) ?? []) + (Subject.list(raw.written_paths) ?? [])
                guard let schema = try subject.schema() else { return }
                for path in paths {
                    let first = String(path.split(separator: ".").first ?? "")
                    guard schema["properties"]?[first] != nil || schema["additionalProperties"]?.object != nil else {
                        throw .failed("the schema has no \"\(first)\", which \"\(path)\" begins with")
                    }
                }
            },
        ]
    )
}
