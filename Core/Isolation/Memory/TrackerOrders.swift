internal import Coordinator
internal import TextEncoding

/// What a tracker's process is started with, as JSON.
struct TrackerOrders {
    var run: RunDescription
    var instance: String
    var plugin: String
    /// The plugin's file, for messages: what is loaded is a copy.
    var path: String
    var configuration: String
    var isEnabled: Bool
    var stored: [String: String]
    /// Whether the tracker is there when the run begins; otherwise an event of the run has it join.
    var isBegun: Bool
    /// Where it takes the place of another, and is heard from; nil for one that speaks from its beginning.
    var place: TakenPlace?
    /// Bytes of the lines of the run that it is told first.
    var historyBytes: Int
    /// The number of the last message that those lines have, behind which the ring goes on.
    var number: UInt64
    /// Bytes of address space that the process may have.
    var memoryBytes: Int
    /// The player's process.
    var player: Int

    /// The orders as JSON text.
    var text: String {
        var stored = JSONObject()
        for (key, value) in self.stored.sorted(by: { $0.key < $1.key }) { stored[key] = .string(value) }
        var text = JSONObject()
        if let place {
            text["event"] = .string("\(place.event)")
            text["goesOn"] = .bool(place.goesOn)
            text["enabled"] = .bool(place.isEnabled)
            text["records"] = .string("\(place.records)")
            text["beacons"] = .string("\(place.beacons)")
        }
        return JSONValue.object([
            "run": .string(run.id), "epoch": .int(run.epoch), "semantics": .int(Int64(run.semantics)),
            "place": place == nil ? .null : .object(text),
            "instance": .string(instance), "plugin": .string(plugin), "path": .string(path),
            "configuration": .string(configuration), "enabled": .bool(isEnabled), "stored": .object(stored),
            "begun": .bool(isBegun), "history": .int(Int64(historyBytes)), "number": .int(Int64(number)),
            "memory": .int(Int64(memoryBytes)), "player": .int(Int64(player)),
        ]).canonicalText
    }
}

extension TrackerOrders {
    /// Reads orders; nil for what are none, or of another version.
    init?(_ text: [UInt8]) {
        guard let value = try? JSONParser().parse(text), let run = value["run"]?.string,
            let epoch = value["epoch"]?.int, let semantics = value["semantics"]?.int,
            let instance = value["instance"]?.string, let plugin = value["plugin"]?.string,
            let path = value["path"]?.string, let configuration = value["configuration"]?.string,
            let isEnabled = value["enabled"]?.bool, let isBegun = value["begun"]?.bool,
            let history = value["history"]?.int, let number = value["number"]?.int,
            let memory = value["memory"]?.int, let player = value["player"]?.int
        else { return nil }
        self.run = RunDescription(id: run, epoch: epoch, semantics: UInt32(clamping: semantics))
        // The run's own coordinator decides what silence ends.
        self.run.longestSilence = .max / 4
        self.instance = instance
        self.plugin = plugin
        self.path = path
        self.configuration = configuration
        self.isEnabled = isEnabled
        self.isBegun = isBegun
        historyBytes = Int(history)
        self.number = UInt64(number)
        memoryBytes = Int(memory)
        self.player = Int(player)
        place = value["place"].flatMap(TakenPlace.init)
        stored = [:]
        for member in value["stored"]?.object ?? [:] { stored[member.key] = member.value.string }
    }
}

extension TakenPlace {
    fileprivate init?(_ value: JSONValue) {
        guard let event = value["event"]?.string.flatMap({ UInt64($0) }), let goesOn = value["goesOn"]?.bool,
            let isEnabled = value["enabled"]?.bool, let records = value["records"]?.string.flatMap({ UInt64($0) }),
            let beacons = value["beacons"]?.string.flatMap({ UInt64($0) })
        else { return nil }
        self.init(event: event, goesOn: goesOn, isEnabled: isEnabled)
        self.records = records
        self.beacons = beacons
    }
}
