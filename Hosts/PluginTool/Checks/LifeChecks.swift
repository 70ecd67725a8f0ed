internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import TextEncoding

/// How instances are made, begun, switched on and off, and ended: in the usual order, and in odd ones.
enum LifeChecks {
    static let group = CheckGroup(
        "Life cycle",
        .plugin,
        [
            Check(
                "create",
                needs: ["kind", "lists"],
                "An instance is made, with its size and all functions.",
                remedy: "Return a `tally_plugin` whose `struct_size` and five functions are set."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                guard host.create(), let plugin = unsafe host.plugin else { throw .failed("create returned NULL") }
                for (name, member) in unsafe [
                    ("init", MemoryLayout<tally_plugin>.offset(of: \.`init`)),
                    ("enable", MemoryLayout<tally_plugin>.offset(of: \.enable)),
                    ("disable", MemoryLayout<tally_plugin>.offset(of: \.disable)),
                    ("destroy", MemoryLayout<tally_plugin>.offset(of: \.destroy)),
                    ("get_extension", MemoryLayout<tally_plugin>.offset(of: \.get_extension)),
                ] where unsafe !Subject.has(UnsafeRawPointer(plugin), member) {
                    throw .failed("\(name) is NULL, or behind struct_size")
                }
            },
            Check(
                "create-quiet",
                needs: ["create"],
                "`create` calls nothing of the host.",
                remedy: "Fetch extensions in `init`: a host may make an instance before it has set anything up."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                host.create()
                for case .inCreate(let function) in host.allBreaches { throw .failed("it calls \(function)") }
            },
            Check(
                "create-unknown",
                needs: ["create"],
                "`create` refuses an id that no plugin of the file has.",
                remedy: "Compare the id, and return NULL for any other."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                if host.create(id: "org.example.nobody.has.this") { throw .failed("it makes an instance of it") }
            },
            Check(
                "table",
                needs: ["create"],
                "It offers the table of its kind, with all functions.",
                remedy: "Return `tally_tracker` or `tally_reporter` from `get_extension`, complete, from `create` on."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                host.create()
                let isReporter = try subject.isReporter()
                let id = isReporter ? TALLY_EXT_REPORTER : TALLY_EXT_TRACKER
                guard let table = unsafe host.table(id, UInt8.self) else {
                    throw .failed("get_extension(\"\(id)\") is NULL")
                }
                let members: [(String, Int?)] =
                    unsafe isReporter
                    ? [
                        ("take", MemoryLayout<tally_reporter>.offset(of: \.take)),
                        ("flush", MemoryLayout<tally_reporter>.offset(of: \.flush)),
                    ]
                    : [
                        ("session_begin", MemoryLayout<tally_tracker>.offset(of: \.session_begin)),
                        ("on_event", MemoryLayout<tally_tracker>.offset(of: \.on_event)),
                        ("on_timer", MemoryLayout<tally_tracker>.offset(of: \.on_timer)),
                        ("session_end", MemoryLayout<tally_tracker>.offset(of: \.session_end)),
                    ]
                for (name, member) in members where unsafe !Subject.has(UnsafeRawPointer(table), member) {
                    throw .failed("\(name) is NULL, or behind struct_size")
                }
            },
            Check(
                "extension-unknown",
                needs: ["create"],
                "`get_extension` answers NULL to what it does not know.",
                remedy: "Compare the whole id, with its `/1`, and return NULL for all others."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                host.create()
                for id in ["tally.tracker/2", "tally.reporter/9", "org.example.unknown/1", ""]
                where unsafe host.table(id, UInt8.self) != nil { throw .failed("it has something for \"\(id)\"") }
            },
            Check(
                "destroy-at-once",
                needs: ["create"],
                "`destroy` works right after `create`.",
                remedy: "Free only what `create` made, and test what `init` would have made for NULL."
            ) { subject throws(Finding) in
                for _ in 0..<3 {
                    let host = try CheckHost(subject)
                    host.create()
                    host.destroy()
                }
            },
            Check(
                "init",
                needs: ["table"],
                "`init` accepts the smallest configuration that fits its schema, and `enable` works.",
                remedy: "Declare in the schema what it needs (`required`), or name a configuration with `--config`."
            ) { subject throws(Finding) in try CheckHost(subject).start(subject) },
            Check(
                "life-twice",
                needs: ["init"],
                "It can be enabled and disabled many times, and lives a second time.",
                remedy: "Leave nothing behind in `disable` and `destroy`, and begin anew in `create`."
            ) { subject throws(Finding) in
                for _ in 0..<2 {
                    try CheckHost.working(subject) { host throws(Finding) in
                        for _ in 0..<10 {
                            host.disable()
                            guard host.enable() >= TALLY_OK else { throw .failed("a later enable is refused") }
                        }
                    }
                }
            },
            Check(
                "destroy-after-init",
                needs: ["init"],
                "`destroy` works after `init` without `enable`.",
                remedy: "Do not count on `disable` having run: an instance may never have been enabled."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                host.create()
                _ = host.initialize(subject.configuration)
                host.destroy()
            },
            Check(
                "init-refuses",
                needs: ["init", "destroy-at-once", "destroy-after-init"],
                "`init` survives a configuration that makes no sense, and `destroy` works behind it.",
                remedy: "Return `TALLY_ERR_CONFIG` for what cannot be read, and leave the instance fit for `destroy`."
            ) { subject throws(Finding) in
                for text in ["", "{", "[]", "nonsense", "{\"\":{}}", String(repeating: "[", count: 200)] {
                    let host = try CheckHost(subject)
                    host.create()
                    _ = host.initialize(text)
                    host.destroy()
                }
            },
            Check(
                "init-explains",
                needs: ["init-refuses"],
                "An `init` that refuses says why.",
                remedy: "Call `set_error` with a sentence for people before you return an error."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                host.create()
                let status = host.initialize("[]")
                guard status >= TALLY_OK || !host.faults.isEmpty else {
                    throw .warning("init returned \(status) for the configuration [], and set_error was not called")
                }
            },
        ]
    )

    /// What comes behind an ordinary session: what fails in that one fails in each of these.
    static let behindASession = CheckGroup(
        "Life out of the ordinary",
        .plugin,
        [
            Check(
                "schema-values",
                needs: ["init", "schema-defaults", "destroy-after-init", "session"],
                "Each default of its schema is accepted; of a tracker each minimum and maximum works, or is refused with a reason.",
                remedy: "Narrow the schema to what `init` takes, or have `init` take what the schema allows."
            ) { subject throws(Finding) in
                let base = (try? JSONParser().parse(subject.configuration))?.object ?? [:]
                let limits = try !subject.isReporter()
                for (word, key, value) in GeneratedConfiguration.boundaries(try subject.schema(), limits: limits) {
                    var members = base
                    members[key] = value
                    let host = try CheckHost(subject)
                    host.create()
                    let status = host.initialize(JSONValue.object(members).canonicalText)
                    // What fits the schema alone may not fit another key.
                    let isExplained = word != "default" && !host.faults.isEmpty
                    guard status >= TALLY_OK || isExplained else {
                        let reason = host.faults.last ?? "without a reason"
                        throw .failed("init returned \(status) for \(key) = \(value.canonicalText): \(reason)")
                    }
                    if limits, status >= TALLY_OK, host.enable() >= TALLY_OK {
                        try Exercise.perform(host, subject)
                        host.disable()
                    }
                    host.destroy()
                }
            },
            Check(
                "extensions-withheld",
                needs: ["init", "destroy-at-once", "session"],
                "It copes with a host that offers less: it refuses, or goes on without.",
                remedy: "Test what `get_extension` of the host returns; name what you cannot do without in "
                    + "`requires_extensions`."
            ) { subject throws(Finding) in
                let all = [TALLY_EXT_EMIT, TALLY_EXT_TIMER, TALLY_EXT_RANDOM, TALLY_EXT_STORE, TALLY_EXT_HOST_REPORTER]
                for withheld in all.map({ Set([$0]) }) + [Set(all + [TALLY_EXT_STATUS])] {
                    let host = try CheckHost(subject)
                    host.withheld = withheld
                    host.create()
                    if host.initialize(subject.configuration) >= TALLY_OK, host.enable() >= TALLY_OK {
                        try Exercise.perform(host, subject)
                        host.disable()
                    }
                    host.destroy()
                }
            },
            Check(
                "disable-quiet",
                needs: ["init", "session"],
                "Nothing of the host is called in `disable`, `destroy` and behind them, but the log.",
                remedy: "Emit the last batch in `session_end`; end threads and timers before `disable` returns."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                try host.start(subject)
                try Exercise.perform(host, subject)
                host.finish()
                usleep(3_000)
                for case .outsideOfCall(let function) in host.allBreaches
                where function.hasSuffix("in disable") || function.hasSuffix("in destroy") {
                    throw .failed("it calls \(function)")
                }
            },
            Check(
                "configure",
                needs: ["init", "session"],
                "A new configuration in mid-run is taken or refused, and neither hurts.",
                remedy: "Read the new one whole before you change anything; keep the old one when you refuse."
            ) { subject throws(Finding) in
                let host = try CheckHost(subject)
                try host.start(subject)
                guard let status = host.configure(subject.configuration) else { return host.finish() }
                guard status >= TALLY_OK || !host.faults.isEmpty else {
                    throw .failed("the configuration that it runs with is refused with \(status), without a word")
                }
                for text in ["", "[]", "{", subject.configuration] { _ = host.configure(text) }
                try Exercise.perform(host, subject)
                host.finish()
            },
            Check(
                "commands",
                needs: ["init", "session"],
                "Its list of commands is JSON, and an unknown command is not found.",
                remedy: "List objects with `name`, `summary` and `changes`, and return `TALLY_ERR_NOT_FOUND` otherwise."
            ) { subject throws(Finding) in
                try CheckHost.working(subject) { host throws(Finding) in
                    guard let table = unsafe host.table(TALLY_EXT_COMMAND, tally_command.self) else { return }
                    guard let plugin = unsafe host.plugin else { return }
                    let list = unsafe table.pointee.list(plugin)
                    let bytes = unsafe Array(UnsafeRawBufferPointer(start: list.ptr, count: list.len))
                    let commands = (try? JSONParser().parse(bytes))?.array
                    guard let commands, commands.allSatisfy({ $0["name"]?.string != nil }) else {
                        throw .failed("the list is no JSON array of objects with a name")
                    }
                    let status = host.command("no-command-has-this-name")
                    guard status == TALLY_ERR_NOT_FOUND else {
                        throw .failed("an unknown command returned \(status ?? 0), not TALLY_ERR_NOT_FOUND")
                    }
                }
            },
        ]
    )
}
