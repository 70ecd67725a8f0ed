import PluginKit
import System
import Tally
import TallyTesting
import Testing

/// What an instance writes into the host's log, which is the vendor's console log here.
@Suite struct LogTests {
    @Test("nol_devDebug logs calls that the state does not let through when it is DEBUG, and only then")
    func debug() throws {
        // Plain initialisation and a second end: `loadMetadata` of content needs `play` before.
        let ignored = LogLine.Level.debug.rawValue
        let actions: [PlayerAction] = [.load, .play, .firstFrame, .complete, .pause, .adStart(3), .adComplete]
        let debugging = try Self.log(["nol_devDebug": "DEBUG", "channelName": ""], actions)
        #expect(debugging.contains("\(ignored) loadMetadata is ignored in the state idle"))
        #expect(debugging.contains { $0.contains("remove it before going live") })
        for text in ["", "debug", "INFO", "true"] {
            let log = try Self.log(["nol_devDebug": .string(text), "channelName": ""], actions)
            #expect(!log.contains { $0.contains("is ignored in the state") }, "\(text)")
            #expect(!log.contains { $0.contains("remove it before going live") }, "\(text)")
        }
    }

    @Test("an argument that cannot be used is logged with its key, and so is a code of the initialisation")
    func errors() throws {
        let warning = LogLine.Level.warning.rawValue
        let broken = try Self.log(["content": ["assetid": "a/b"]], [.load, .play, .firstFrame])
        #expect(broken.contains { $0.hasPrefix("\(warning) loadMetadata: \"assetid\" is \"a/b\"") })
        let missing = try Self.log(["appid": ""], [.load])
        #expect(missing.contains { $0.hasPrefix("\(warning) initWithAppInfo: \"appid\" is missing") })
    }

    /// The lines of the log, each after the number of its level.
    private static func log(_ configuration: [String: JSONValue], _ actions: [PlayerAction]) throws -> [String] {
        let lines = Lock<[String]>([])
        var virtual = VirtualRun(
            plugins: [Setup.tracker(configuration)],
            sources: [.file(PluginFiles.plugin("nielsen-dcr"))]
        )
        virtual.log = { line in lines.with { $0.append("\(line.level.rawValue) \(line.message)") } }
        _ = try virtual.record { player, run, _ in
            for action in actions {
                player.perform(action, on: run)
                run.pump()
            }
        }
        return lines.with { $0 }
    }
}
