import PluginKit
import Tally
import TallyTesting

/// The example of a custom tracker: each thing that it overrides shows.
enum CustomTrackerScenario {
    static let audioBook = Scenario(
        "Senders, getters, attributes, time since, and events that are dropped, changed and sent in another way",
        tracker: PluginSelection("org.tally.example.new-relic-custom", name: "book"),
        steps: [
            .at(0, .playerReady), .at(100, .load), .at(100, .bufferStart(.initial)), .at(200, .bufferComplete),
            .at(300, .play), .at(400, .firstFrame), .at(500, .chapterStart(7)), .at(900, .pause), .at(1_000, .adClick),
            .at(1_100, .bufferStart(.stall)), .at(1_200, .complete), .at(1_300, .unload),
        ],
        expected: [
            .at(0, "TRACKER_READY", ["contentIsLive": .int(0)], lacks: ["chapterTitle"]), .at(0, "PLAYER_READY"),
            .at(
                100,
                "CONTENT_REQUEST",
                ["contentTitle": .string("Audio book: Synthetic"), "contentDuration": .int(600_000)],
                lacks: ["contentRenditionWidth", "timeSinceChapter"]
            ),
            .at(400, "CONTENT_START", lacks: ["chapterTitle"]),
            .at(500, "CHAPTER", ["eventType": .string("AudioBook"), "chapterNumber": .int(1)]),
            .at(900, "CONTENT_PAUSE", ["chapterTitle": .string("Chapter 7"), "timeSinceChapter": .int(400)]),
            .at(1_000, "beacon"),
            .at(1_100, "CONTENT_BUFFER_START"), .at(1_200, "CONTENT_END"),
        ]
    )
}
