import EventModel
import MuxData
import PluginKit
import TallyTesting
import Testing

/// What can be configured, and what is refused with which words.
@Suite struct ConfigurationTests {
    @Test(
        "What cannot be used is refused with its key",
        arguments: [
            ("{}", "environmentKey"), (#"{"environmentKey":""}"#, "environmentKey"),
            (#"{"environmentKey":7}"#, "environmentKey"),
            (#"{"environmentKey":"k","beaconDomain":"https://x.example/"}"#, "beaconDomain"),
            (#"{"environmentKey":"k","player":""}"#, "player"),
            (#"{"environmentKey":"k","timeUpdates":"yes"}"#, "timeUpdates"),
            (#"{"environmentKey":"k","environmentData":{"sessionId":"x"}}"#, "environmentData.sessionId"),
            (#"{"environmentKey":"k","environmentData":{"muxEmbed":"x"}}"#, "muxViewerId is the one field"),
            (#"{"environmentKey":"k","viewerData":{"viewerShoeSize":"9"}}"#, "viewerData.viewerShoeSize"),
            (#"{"environmentKey":"k","viewerData":[]}"#, "viewerData"),
            (#"{"environmentKey":"k","customerVideoData":{"videoTitle":5}}"#, "customerVideoData.videoTitle"),
            (#"{"environmentKey":"k","customerVideoData":{"videoDuration":"5"}}"#, "customerVideoData.videoDuration"),
            (#"{"environmentKey":"k","customerVideoData":{"videoIsLive":"true"}}"#, "customerVideoData.videoIsLive"),
        ]
    )
    func refused(configuration: String, words: String) {
        #expect(Mux.host(configuration).error.contains(words))
    }

    @Test("A text of more than 4096 bytes is refused")
    func longText() {
        let long = String(repeating: "x", count: 4_097)
        let host = Mux.host(#"{"environmentKey":"k","customData":{"custom1":"\#(long)"}}"#)
        #expect(host.error.contains("customData.custom1"))
    }

    @Test("Every field of every data object can be set, and is in the records")
    func allFields() throws {
        for section in DataSection.all {
            var object = JSONObject()
            for member in section.members {
                object[member.key] =
                    member.field == .videoDuration || member.field == .playerInitTime
                    ? 1_600_000_000_000
                    : member.field == .videoIsLive || member.field == .viewTimeShiftEnabled ? true : "some text"
            }
            let configuration: JSONObject = ["environmentKey": "k", section.key: .object(object)]
            let host = Mux.host(JSONValue.object(configuration).canonicalText)
            #expect(host.error.isEmpty)
            host.send(.play)
            let view = try #require(host.records.first { $0.kind == "viewinit" })
            for member in section.members {
                let name = member.field.name.string
                #expect(view[name] != nil, "\(section.key).\(member.key)")
            }
            let kind = section.key == "viewerData" ? "globaldata" : "data"
            let data = try #require(host.records.first { $0.kind == kind })
            let last = try #require(section.members.last)
            #expect(data[last.field.name.string] != nil, "\(section.key)")
        }
    }

    @Test("The player's start-up counts from the time that is configured, else from the run's begin")
    func startupTime() throws {
        let configured = Mux.host(
            #"{"environmentKey":"k","customerPlayerData":{"playerInitTime":\#(Mux.epoch - 700)}}"#
        )
        let plain = Mux.host()
        for (host, startup) in [(configured, 1_200), (plain, 500)] as [(FakeHost, Int64)] {
            host.send(.playerReady, at: 500)
            let ready = try #require(host.records.first { $0.kind == "playerready" })
            #expect(ready["player_startup_time"] == .int(startup))
            host.send(.playerReady, at: 600)
            #expect(host.events() == ["viewinit", "playerready"])
        }
    }
}
