internal import Tally
package import TextEncoding

/// The settings of all programs: the options that load plugins, and the keys of the configuration that none owns.
package enum HostSettings {
    private static let section = "Plugins"

    package static let plugins = Setting(
        "plugins",
        .list("NAME,..."),
        in: section,
        "Run these plugins, in this order: instances of the configuration, or plugins by name or id."
    )
    package static let pluginFolders = Setting(
        "plugin-dir",
        .text("DIR"),
        in: section,
        "Look for plugins here first."
    ).repeatable()
    package static let config = Setting(
        "config",
        short: "c",
        .text("FILE"),
        in: section,
        "Read the configuration, a JSON5 file.",
        details: "See [configuration](configuration.md)."
    )
    package static let set = Setting(
        "set",
        ConfigurationOverride.form,
        in: section,
        "Set one key of the configuration, such as plugins.NAME.config.KEY."
    ).repeatable()
    package static let listPlugins = Setting(
        flag: "list-plugins",
        in: section,
        "List the plugins that were found and the files that cannot be used, and exit."
    )
    package static let explain = Setting(
        flag: "explain",
        in: section,
        "Show the effective configuration, where each value comes from, and set-ups that cannot work; exit."
    )
    package static let quiet = Setting(
        flag: "quiet",
        short: "q",
        "Say nothing on standard error but warnings and errors."
    )
    package static let verbose = Setting(flag: "verbose", short: "v", "Show the plugins' debug messages too.")
    package static let json = Setting(flag: "json", "Write listings and the summary as JSON.")

    /// The options that concern a call of a program.
    package static let options: [any DeclaredSetting] = [
        plugins, pluginFolders, config, set, listPlugins, explain, quiet, verbose, json,
    ]

    // MARK: - Keys

    package static let instances = Setting(
        nil,
        .object(instanceSchema, kind: "array or object"),
        key: "plugins",
        "The plugin instances."
    )
    package static let isFixed = Setting(
        flag: nil,
        key: "fixed",
        keyAlias: "plugins.fixed",
        "Whether the list of plugins stays as it is while a run goes on."
    )
    package static let keptMebibytes = Setting(
        nil,
        .integer("MIB", 0...1_048_576),
        key: "keptMebibytes",
        "How much of what a run without an archive was told is kept for a tracker that takes another's place.",
        details: "In an unnamed file, MiB. See [replacing](plugins-at-run-time.md#replacing)."
    ).unlessGiven(64)
    package static let longestSilence = Setting(
        nil,
        .integer("SECONDS", 1...2_678_400),
        key: "longestSilenceSeconds",
        "How long nothing may be heard of a run until a session that is open is ended.",
        details: "A replay goes by the archive's header, and by this where it says nothing. See "
            + "[limits](limits.md#a-time-that-is-damaged)."
    ).unlessGiven(21_600)
    package static let pluginDirectories = Setting(
        nil,
        .list("DIR"),
        key: "pluginDirectories",
        isPath: true,
        "Folders to look for plugins in, after those of --plugin-dir."
    ).unlessGiven([], shown: [])
    package static let shared = Setting(
        nil,
        .object(["type": "object", "additionalProperties": ["type": ["object", "string"]]]),
        key: "shared",
        "Blocks of configuration that several plugins get."
    ).unlessGiven(JSONObject(), shown: .null)
    package static let delivery = Setting(
        nil,
        .object(DeliverySettings.schema),
        key: "delivery",
        "What gets to which reporter, and in which form: routes, privacy and key.",
        details: "See [from trackers to reporters](delivery.md)."
    ).unlessGiven(JSONObject(), shown: .null)
    package static let archive = Setting(
        "archive",
        short: "a",
        .optionalText("FILE"),
        key: "archive",
        in: "Player",
        isPath: true,
        "Record the run to this file, or to a new file in this folder.",
        details: "A folder is there, or its name ends in `/`. An archive of that name is replaced, [after its "
            + "recovery](cli.md#what-is-written); any other file that is not empty is refused. The replay leaves the key alone."
    )
    package static let recovers = Setting(
        flag: nil,
        says: false,
        key: "recover",
        "Whether the player ends the runs that a crash cut off, at its start.",
        details: "See [recovery](delivery.md#recovery-after-a-crash)."
    )
    package static let store = Setting(
        "store",
        .optionalText("FILE"),
        key: "store",
        in: "Player",
        isPath: true,
        "Keep the trackers' persistent values in this file from run to run."
    )
    package static let control = Setting(
        "control",
        .optionalText("PATH"),
        key: "control.socket",
        in: "Player",
        isPath: true,
        "Take commands on this Unix socket, from the same user; tally-player ctl gives them.",
        details: "See [control](control.md)."
    )
    package static let answerLimit = Setting(
        nil,
        .number("SECONDS", 0.1...86_400),
        key: "control.answerLimitSeconds",
        "How long the player, a replay or a plugin may take to answer a command."
    ).unlessGiven(60)
    package static let callLimit = Setting(
        nil,
        .number("SECONDS", 0...86_400),
        key: "calls.limitSeconds",
        "How long a call into a tracker may take until its run goes on without it; 0 waits for ever.",
        details: "Unless given, 2 s in a live run and 60 s in a replay. See [isolation](isolation.md)."
    )
    package static let callBudget = Setting(
        nil,
        .number("MS", 0.001...86_400_000),
        key: "calls.budgetMs",
        "How long a call into a tracker of a live run should take: longer ones are counted."
    ).unlessGiven(5)
    package static let callsOverBudget = Setting(
        nil,
        .integer("COUNT", 0...1_000_000_000),
        key: "calls.disableAfter",
        "After how many calls that took longer than that a tracker is disabled; 0 is never."
    ).unlessGiven(0)
    package static let isolate = Setting(
        flag: "isolate",
        key: "isolation.all",
        in: "Player",
        "Give each tracker a confined process of its own, unless its `isolation` says otherwise.",
        details: "See [isolation](isolation.md). A replay leaves the key alone."
    )
    package static let trackerMemory = Setting(
        nil,
        .integer("MIB", 64...1_048_576),
        key: "isolation.memoryMebibytes",
        "How much address space the process of a tracker or reporter may have."
    ).unlessGiven(512)
    package static let trackerHold = Setting(
        nil,
        .integer("MS", 0...60_000),
        key: "isolation.holdMs",
        "How long what others say waits, for its order, for a tracker in such a process that is behind."
    ).unlessGiven(500)
    package static let dropIn = Setting(
        nil,
        .word("WORD", of: DropIn.allCases),
        key: "dropIn",
        "What becomes of a plugin file that comes while the player runs."
    ).unlessGiven(.load, shown: "load")

    /// What becomes of a plugin file that comes while a program runs.
    package enum DropIn: String, Sendable, CaseIterable {
        /// Nobody looks.
        case off
        /// It is loaded and waits for a command.
        case load
        /// An instance of each of its plugins is enabled.
        case enable
    }

    /// The keys, in the order in which explanations and the page have them.
    package static let keys: [any DeclaredSetting] = [
        instances, isFixed, keptMebibytes, longestSilence, pluginDirectories, shared, delivery, archive, recovers,
        store, control, answerLimit, callLimit, callBudget, callsOverBudget, isolate, trackerMemory,
        trackerHold, dropIn,
    ]

    /// The keys of an instance, which its element of an array has besides `name`, or its member of an object.
    private static let instanceSchema: JSONObject = {
        var instance: JSONObject = [
            "plugin": ["type": "string"], "enabled": ["type": "boolean"], "required": ["type": "boolean"],
            "isolation": ["enum": .array(PluginIsolation.allCases.map { .string($0.rawValue) })],
            "config": ["type": "object"],
        ]
        let inObject: JSONValue = ["type": "object", "additionalProperties": false, "properties": .object(instance)]
        instance["name"] = ["type": "string"]
        let inArray: JSONValue = [
            "type": "object", "additionalProperties": false, "properties": .object(instance), "required": ["plugin"],
        ]
        return [
            "type": ["array", "object"], "items": inArray, "additionalProperties": inObject,
            "properties": ["fixed": ["type": ["boolean", "object"]]],
        ]
    }()
}
