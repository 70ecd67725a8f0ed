import HostSupport
import Testing

struct ReadableNumberTests {
    @Test(
        "A comma stands before every three digits",
        arguments: [
            (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"),
            (Int.min, "-9,223,372,036,854,775,808"),
        ]
    )
    func grouped(number: Int, text: String) {
        #expect(ReadableNumber.grouped(number) == text)
    }

    @Test(
        "What is counted has the form of its number",
        arguments: [(0, "0 runs"), (1, "1 run"), (1_234, "1,234 runs")]
    )
    func counted(number: Int, text: String) {
        #expect(ReadableNumber.counted(number, "run") == text)
        #expect(ReadableNumber.counted(UInt64(number), "run") == text)
        #expect(
            ReadableNumber.counted(number, "line is", "lines are")
                == text.replacing("runs", with: "lines are").replacing("run", with: "line is")
        )
        #expect(ReadableNumber.counted(-1, "run") == "-1 runs")
    }

    @Test(
        "A duration has hours, minutes and whole seconds that have passed",
        arguments: [
            (-1, "0:00:00"), (999_999, "0:00:00"), (61_000_000, "0:01:01"), (3_599_999_999, "0:59:59"),
            (360_000_000_000, "100:00:00"),
        ] as [(Int64, String)]
    )
    func duration(microseconds: Int64, text: String) {
        #expect(ReadableNumber.duration(microseconds: microseconds) == text)
    }

    @Test(
        "A short time is in milliseconds, then in seconds",
        arguments: [(0, "0 ms"), (999_999, "999 ms"), (1_000_000, "1.0 s"), (12_390_000, "12.3 s")]
            as [(Int64, String)]
    )
    func shortTime(microseconds: Int64, text: String) {
        #expect(ReadableNumber.shortTime(microseconds: microseconds) == text)
    }

    @Test(
        "Bytes are in the unit that leaves at most three digits before the point",
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_999, "999.9 kB"), (1_234_567, "1.2 MB"),
            (5_000_000_000, "5.0 GB"), (7_000_000_000_000, "7.0 TB"),
        ]
    )
    func bytes(count: Int, text: String) {
        #expect(ReadableNumber.bytes(count) == text)
    }
}
