import PluginKit

extension Vector {
    /// The vectors, each without the `TRACKER_READY` that comes first.
    static let all: [Vector] = [
        Vector(
            name: "V1: steps that are not legal say nothing",
            steps: [
                .setPlayer, .request, .request, .start, .start, .pause, .seekEnd, .bufferEnd, .pause, .resume, .resume,
                .bufferStart, .bufferStart, .bufferEnd, .bufferEnd, .seekStart, .seekStart, .seekEnd, .seekEnd,
                .heartbeat, .end, .end,
            ],
            expected: [
                ExpectedEvent("PLAYER_READY"), ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_START"),
                ExpectedEvent("CONTENT_PAUSE"), ExpectedEvent("CONTENT_RESUME"), ExpectedEvent("CONTENT_BUFFER_START"),
                ExpectedEvent("CONTENT_BUFFER_END"), ExpectedEvent("CONTENT_SEEK_START"),
                ExpectedEvent("CONTENT_SEEK_END"), ExpectedEvent("CONTENT_HEARTBEAT"), ExpectedEvent("CONTENT_END"),
            ]
        ),
        Vector(
            name: "V3: time since the request",
            steps: [.request, .wait(1100), .start],
            expected: [
                ExpectedEvent("CONTENT_REQUEST", lacks: ["timeSinceRequested"]),
                ExpectedEvent("CONTENT_START", has: ["timeSinceRequested": .int(1100)], lacks: ["timeSinceStarted"]),
            ]
        ),
        Vector(
            name: "V4: time since the beginning of the buffering",
            steps: [.request, .start, .bufferStart, .wait(800), .bufferEnd, .pause],
            expected: [
                ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_START"),
                ExpectedEvent("CONTENT_BUFFER_START", lacks: ["timeSinceBufferBegin"]),
                ExpectedEvent("CONTENT_BUFFER_END", has: ["timeSinceBufferBegin": .int(800)]),
                ExpectedEvent("CONTENT_PAUSE", lacks: ["timeSinceBufferBegin"]),
            ]
        ),
        Vector(
            name: "V5: time since the beginning of the seek",
            steps: [.request, .start, .seekStart, .wait(1000), .seekEnd],
            expected: [
                ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_START"),
                ExpectedEvent("CONTENT_SEEK_START", lacks: ["timeSinceSeekBegin"]),
                ExpectedEvent("CONTENT_SEEK_END", has: ["timeSinceSeekBegin": .int(1000)]),
            ]
        ),
        Vector(
            name: "V6: time since the pause",
            steps: [.request, .start, .pause, .wait(1200), .resume, .wait(300), .pause],
            expected: [
                ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_START"),
                ExpectedEvent("CONTENT_PAUSE", lacks: ["timeSincePaused"]),
                ExpectedEvent("CONTENT_RESUME", has: ["timeSincePaused": .int(1200)]),
                ExpectedEvent("CONTENT_PAUSE", lacks: ["timeSincePaused"]),
            ]
        ),
        Vector(
            name: "V8: buffering at the beginning is initial",
            steps: [.request, .bufferStart, .wait(300), .playhead(9), .bufferEnd],
            expected: [
                ExpectedEvent("CONTENT_REQUEST", lacks: ["bufferType"]),
                ExpectedEvent("CONTENT_BUFFER_START", has: ["bufferType": .string("initial")]),
                ExpectedEvent("CONTENT_BUFFER_END", has: ["bufferType": .string("initial")]),
            ]
        ),
        Vector(
            name: "buffering ends with the reason that it began with",
            steps: [.request, .start, .playhead(5000), .bufferStart, .pause, .bufferEnd, .bufferStart],
            expected: [
                ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_START"),
                ExpectedEvent("CONTENT_BUFFER_START", has: ["bufferType": .string("connection")]),
                ExpectedEvent("CONTENT_PAUSE"),
                ExpectedEvent("CONTENT_BUFFER_END", has: ["bufferType": .string("connection")]),
                ExpectedEvent("CONTENT_BUFFER_START", has: ["bufferType": .string("pause")]),
            ]
        ),
        Vector(
            name: "V12: pausing, seeking and buffering may overlap",
            steps: [.request, .start, .pause, .seekStart, .seekEnd, .bufferStart, .bufferEnd, .resume],
            expected: [
                ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_START"), ExpectedEvent("CONTENT_PAUSE"),
                ExpectedEvent("CONTENT_SEEK_START"), ExpectedEvent("CONTENT_SEEK_END"),
                ExpectedEvent("CONTENT_BUFFER_START"), ExpectedEvent("CONTENT_BUFFER_END"),
                ExpectedEvent("CONTENT_RESUME"),
            ]
        ),
        Vector(
            name: "V19: a request may end without a start",
            steps: [.request, .end],
            expected: [ExpectedEvent("CONTENT_REQUEST"), ExpectedEvent("CONTENT_END")]
        ),
        Vector(
            name: "V20: nothing happens without a request",
            steps: [.start, .seekStart, .resume, .pause, .bufferStart, .bufferEnd, .end],
            expected: []
        ),
        Vector(
            name: "play time stands while playback does",
            steps: [
                .request, .wait(700), .start, .wait(2000), .pause, .wait(5000), .resume, .wait(1000), .bufferStart,
                .wait(400), .seekStart, .wait(100), .bufferEnd, .wait(50), .seekEnd, .wait(250), .send("NOTE"),
                .wait(30), .end, .request,
            ],
            expected: [
                ExpectedEvent("CONTENT_REQUEST", has: played(0, 0)),
                ExpectedEvent("CONTENT_START", has: played(0, 0)),
                ExpectedEvent("CONTENT_PAUSE", has: played(2000, 2000)),
                ExpectedEvent("CONTENT_RESUME", has: played(0, 2000)),
                ExpectedEvent("CONTENT_BUFFER_START", has: played(1000, 3000)),
                ExpectedEvent("CONTENT_SEEK_START", has: played(0, 3000)),
                ExpectedEvent("CONTENT_BUFFER_END", has: played(0, 3000)),
                ExpectedEvent("CONTENT_SEEK_END", has: played(0, 3000)),
                ExpectedEvent("NOTE", has: played(250, 3250)),
                ExpectedEvent("CONTENT_END", has: played(30, 3280)),
                ExpectedEvent("CONTENT_REQUEST", has: played(0, 0)),
            ]
        ),
        Vector(
            name: "nothing is played before the start, nor while a stream that starts is buffering",
            steps: [
                .request, .bufferStart, .wait(100), .bufferEnd, .wait(200), .bufferStart, .wait(50), .start, .wait(300),
                .bufferEnd, .wait(40), .pause,
            ],
            expected: [
                ExpectedEvent("CONTENT_REQUEST", has: played(0, 0)),
                ExpectedEvent("CONTENT_BUFFER_START", has: played(0, 0)),
                ExpectedEvent("CONTENT_BUFFER_END", has: played(0, 0)),
                ExpectedEvent("CONTENT_BUFFER_START", has: played(0, 0)),
                ExpectedEvent("CONTENT_START", has: played(0, 0)),
                ExpectedEvent("CONTENT_BUFFER_END", has: played(0, 0)),
                ExpectedEvent("CONTENT_PAUSE", has: played(40, 40)),
            ]
        ),
        Vector(
            name: "a view ends with its end",
            steps: [.request, .start, .end, .request, .start],
            expected: [
                ExpectedEvent("CONTENT_REQUEST", has: ["numberOfVideos": .int(0)]),
                ExpectedEvent("CONTENT_START", has: ["numberOfVideos": .int(1), "totalAdPlaytime": .int(0)]),
                ExpectedEvent("CONTENT_END", has: ["numberOfVideos": .int(1)], lacks: ["totalAdPlaytime"]),
                ExpectedEvent("CONTENT_REQUEST", has: ["numberOfVideos": .int(1)]),
                ExpectedEvent("CONTENT_START", has: ["numberOfVideos": .int(2)]),
            ]
        ),
    ]

    private static func played(_ sinceLastEvent: Int64, _ total: Int64) -> [String: PlainValue] {
        ["playtimeSinceLastEvent": .int(sinceLastEvent), "totalPlaytime": .int(total)]
    }
}
