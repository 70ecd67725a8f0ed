import LoopbackServer
import Testing

struct OptionTests {
    @Test func `all options arrive in the configuration`() throws {
        let options = try ServerOptions(arguments: [
            "--root", "/r", "--port=8080", "--throttle", "0:300k,2.5:1.5M", "--throttle-from", "*.m4s", "--log",
            "--fault", "a=b*=latency:5,refuse", "--fault=*=stall:1,first:3",
        ])
        #expect(options.configuration.root == "/r")
        #expect(options.configuration.port == 8080)
        #expect(
            options.configuration.throttle?.steps == [
                ThrottleSchedule.Step(second: 0, bitsPerSecond: 300_000),
                ThrottleSchedule.Step(second: 2.5, bitsPerSecond: 1_500_000),
            ]
        )
        #expect(options.configuration.throttleStart == .firstRequest(PathPattern("*.m4s")))
        #expect(options.logs)
        #expect(
            options.configuration.faults == [
                FaultRule(PathPattern("a=b*"), Faults(latencyMilliseconds: 5, refuses: true)),
                FaultRule(PathPattern("*"), Faults(stallAfter: 1), limit: 3),
            ]
        )
    }

    @Test(arguments: [
        ([], "no folder to serve"), (["--root"], "--root needs a value"), (["--root", ""], "--root needs a value"),
        (["--bogus"], "unknown option '--bogus'"), (["file"], "unknown option 'file'"),
        (["--log=1"], "unknown option '--log=1'"), (["--port", "65536"], "--port '65536'"),
        (["--port", "-1"], "--port '-1'"), (["--throttle", "300k"], "'300k' is not of the form"),
        (["--throttle", "0:3q"], "'3q' is not a rate"), (["--throttle", "0:nan"], "'nan' is not a rate"),
        (["--throttle", "0:-1"], "'-1' is not a rate"), (["--throttle", "1:3k"], "must be at second 0"),
        (["--throttle", "0:1,0:2"], "is not after the step before"), (["--throttle", "x:1"], "'x' is not a number"),
        (["--throttle", "0:1,"], "'' is not of the form"), (["--fault", "status:404"], "not of the form GLOB=FAULT"),
        (["--fault", "=status:404"], "not of the form GLOB=FAULT"),
        (["--fault", "*=melt:1"], "'melt:1' is not one of"),
        (["--fault", "*=status:99"], "99 is not a status"), (["--fault", "*=cut:-1"], "'-1' is not a whole number"),
        (["--fault", "*="], "'' is not one of"), (["--fault", "*=first:2"], "not what goes wrong"),
    ])
    func `a wrong option is an error that names it`(arguments: [String], message: String) throws {
        let error = #expect(throws: OptionError.self) {
            try ServerOptions(arguments: arguments)
        }
        let text = error?.description ?? ""
        #expect(text.contains(message), "the message is: \(text)")
    }
}
