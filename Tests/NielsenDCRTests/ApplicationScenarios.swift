import EventModel
import Tally
import TallyTesting
import TextEncoding

/// The application's launch and end, its App ID, and opt-out.
enum ApplicationScenarios {
    static let all: [Scenario] = [
        application, applicationAgain, runningTime, plainInitialisation, missingAppID, badAppID, emptyNames, debug,
        systemOptOut, kids, consent,
    ]

    private static let started: [Scenario.Step] = [
        .at(0, .load), .at(0, .play), .at(0, .firstFrame), .at(100, .unload),
    ]

    private static func optedOut(_ source: String) -> Scenario.Expected {
        .at(0, "optOutStatus", ["value": .bool(true), "source": .string(source)])
    }

    static let application = Scenario(
        "the application's launch and its end with the running time are events of the API",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .applicationLaunched), .at(100, .load), .at(100, .play), .at(100, .firstFrame),
            .at(1_500, .applicationTerminated(61.5)), .at(1_600, .unload),
        ],
        expected: [Expect.started(0), Expect.play(100), Expect.load(100, "content", "asset-1"), Expect.first(100, 0)]
            + Expect.view(100) + Expect.playheads(from: 1_100, 1...1) + [Expect.end(1_500)] + Expect.final(1_500, 1)
            + [
                .at(
                    1_500,
                    "event",
                    ["code": .int(2002), "name": .string("AppApiShutdown"), "running_time_s": .int(61)]
                )
            ]
    )

    static let applicationAgain = Scenario(
        "an application that is launched again is told again",
        tracker: Setup.tracker(),
        steps: [
            .at(0, .applicationLaunched), .at(100, .applicationLaunched), .at(5_000, .applicationTerminated(5)),
            .at(6_000, .applicationTerminated(6)), .at(9_000, .applicationLaunched),
        ],
        expected: [Expect.started(0), .at(5_000, "event", ["code": .int(2002)]), Expect.started(9_000)]
    )

    static let runningTime = Scenario(
        "an application that does not say how long it ran has run since the API started",
        tracker: Setup.tracker(),
        steps: [
            .at(1_000, .applicationLaunched),
            .at(63_500, .call(PlayerCall("terminated") { _, run in run.trackApplicationTerminated() })),
        ],
        expected: [Expect.started(1_000), .at(63_500, "event", ["code": .int(2002), "running_time_s": .int(62)])]
    )

    static let plainInitialisation = Scenario(
        "without the application's information every call is ignored, without an error",
        tracker: PluginSelection("com.nielsen.dcr", name: "nielsen", configuration: ["channelName": "Channel 1"]),
        steps: started,
        expected: []
    )

    static let missingAppID = Scenario(
        "without an App ID the initialisation fails, and the instance is disabled",
        tracker: PluginSelection("com.nielsen.dcr", name: "nielsen", configuration: ["appname": "Sample"]),
        steps: started,
        expected: [Expect.error(0, 1007, "appid")]
    )

    static let badAppID = Scenario(
        "an App ID that is no GUID makes the initialisation fail",
        tracker: Setup.tracker(["appid": "PXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX"]),
        steps: started,
        expected: [Expect.error(0, 1, "appid")]
    )

    static let emptyNames = Scenario(
        "an empty name or version of the application is logged, and measurement goes on",
        tracker: Setup.tracker(["appname": "", "appversion": ""]),
        steps: [.at(0, .load), .at(0, .play), .at(10, .unload)],
        expected: [
            Expect.error(0, 1005, "appname"), Expect.error(0, 1006, "appversion"), Expect.started(), Expect.play(0),
            Expect.end(10),
        ]
    )

    static let debug = Scenario(
        "nol_devDebug is warned of, name and version of the application are in the pings",
        tracker: Setup.tracker(["nol_devDebug": "DEBUG", "appname": "Sample", "appversion": "1.0.2"]),
        steps: started,
        expected: [
            Expect.started(), Expect.warning(0, "nol_devDebug"), Expect.play(0), Expect.load(0, "content", "asset-1"),
            Expect.first(0, 0),
        ]
            + Expect.view(0, ["c15": "apn,Sample", "c12": "apv,1.0.2", "c13": "asid,\(Setup.appID)"])
            + [Expect.end(100)]
    )

    static let systemOptOut = Scenario(
        "opted out by the system, pings go on with the mark and without the device's hash",
        tracker: Setup.tracker(["systemOptOut": true]),
        steps: started,
        expected: [
            Expect.started(), optedOut("system"), Expect.play(0), Expect.load(0, "content", "asset-1"),
            Expect.first(0, 0),
        ]
            + Expect.view(0, ["uoo": "true", "c1": "nuid,"]) + [Expect.end(100)]
    )

    static let kids = Scenario(
        "an application for children is opted out right after the initialisation",
        tracker: Setup.tracker(["kids": true]),
        steps: started,
        expected: [
            Expect.started(), .at(0, "userOptOut", ["url": .string("nielsenappsdk://1")]), optedOut("kids"),
            Expect.play(0), Expect.load(0, "content", "asset-1"), Expect.first(0, 0),
        ]
            + Expect.view(0, ["uoo": "true", "c1": "nuid,"]) + [Expect.end(100)]
    )

    static let consent = Scenario(
        "consent that is refused or not decided opts out as the system's setting does",
        tracker: Setup.tracker(),
        steps: [.at(0, .consent(.pending)), .at(100, .consent(.refused)), .at(200, .consent(.given))] + [
            .at(300, .load), .at(300, .play), .at(300, .firstFrame), .at(400, .unload),
        ],
        expected: [
            Expect.started(), optedOut("system"), .at(200, "optOutStatus", ["value": .bool(false)]), Expect.play(300),
            Expect.load(300, "content", "asset-1"), Expect.first(300, 0),
        ]
            + Expect.view(300, ["uoo": "", "c1": "nuid,999"]) + [Expect.end(400)]
    )
}
