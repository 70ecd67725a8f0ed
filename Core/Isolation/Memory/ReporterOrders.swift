internal import System
internal import TextEncoding

/// What a reporter's process is started with, as JSON.
struct ReporterOrders {
    /// What it is given open, in this order from 3 on.
    enum Descriptor: Int32, CaseIterable {
        case channel = 3
        case outputs
        case library
        case orders
    }

    var instance: String
    var plugin: String
    /// The plugin's file, for messages: what is loaded is a copy.
    var path: String
    var configuration: String
    /// Whether it takes the place of a process that has ended.
    var goesOn: Bool
    var allowance: ProcessAllowance
    /// The player's process.
    var player: Int

    /// The orders as JSON text.
    var text: String {
        JSONValue.object([
            "reporter": .string(instance), "plugin": .string(plugin), "path": .string(path),
            "configuration": .string(configuration), "goes_on": .bool(goesOn), "player": .int(Int64(player)),
            "memory": .int(Int64(allowance.memoryBytes)),
            "reads": .array(allowance.readable.map(JSONValue.string)),
            "writes": .array(allowance.writable.map(JSONValue.string)), "connects": .bool(allowance.connects),
            "listens": .bool(allowance.listens), "threads": .bool(allowance.hasThreads),
            "streams": .bool(allowance.hasStreams),
        ]).canonicalText
    }
}

extension ReporterOrders {
    /// Reads orders; nil for what are none of a reporter.
    init?(_ text: [UInt8]) {
        guard let value = try? JSONParser().parse(text), let instance = value["reporter"]?.string,
            let plugin = value["plugin"]?.string, let path = value["path"]?.string,
            let configuration = value["configuration"]?.string, let player = value["player"]?.int,
            let memory = value["memory"]?.int
        else { return nil }
        self.instance = instance
        self.plugin = plugin
        self.path = path
        self.configuration = configuration
        self.player = Int(player)
        goesOn = value["goes_on"]?.bool ?? false
        allowance = ProcessAllowance(memoryBytes: Int(memory))
        allowance.readable = (value["reads"]?.array ?? []).compactMap(\.string)
        allowance.writable = (value["writes"]?.array ?? []).compactMap(\.string)
        allowance.connects = value["connects"]?.bool ?? false
        allowance.listens = value["listens"]?.bool ?? false
        allowance.hasThreads = value["threads"]?.bool ?? false
        allowance.hasStreams = value["streams"]?.bool ?? false
        allowance.doesIO = true
    }
}
