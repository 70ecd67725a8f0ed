import Archive
import CollectedRuns
import Testing

@Suite struct RunIntakeTests {
    private let intake = RunIntake()
    private let key = RunKey(tenant: "acme", form: .native, name: "run")

    private func admit(_ first: UInt64, _ last: UInt64, lost: UInt64 = 0, limit: Int = 10) -> RunIntake.Admission {
        intake.admit(key, first: first, last: last, lost: lost, limit: limit, now: 0)
    }

    @Test("A line is admitted once, and safe when it is said to be")
    func once() {
        #expect(admit(1, 5) == .beyond(0))
        #expect(admit(1, 5) == .beyond(5))
        #expect(intake.confirm(key, upTo: 0) == 0)
        #expect(intake.confirm(key, upTo: 5) == 5)
        #expect(admit(4, 8) == .beyond(5))
    }

    @Test("Lines behind missing ones wait for those, unless the player has given them up")
    func missing() {
        #expect(admit(1, 5) == .beyond(0))
        _ = intake.confirm(key, upTo: 5)
        #expect(admit(7, 9) == .missing(safe: 5))
        #expect(admit(7, 9, lost: 6) == .beyond(5))
    }

    @Test("What did not become safe is admitted again")
    func withdrawn() {
        #expect(admit(1, 5) == .beyond(0))
        _ = intake.confirm(key, upTo: 5)
        #expect(admit(6, 9) == .beyond(5))
        intake.withdraw(key)
        #expect(admit(6, 9) == .beyond(5))
    }

    @Test("A run that is over takes nothing, nor does one in its midst that nobody knows")
    func over() {
        #expect(admit(3, 4) == .unknown(missing: 2))
        #expect(admit(1, 5) == .beyond(0))
        _ = intake.confirm(key, upTo: 5)
        intake.end(key)
        #expect(admit(6, 7) == .over(safe: 5))
        #expect(intake.openRuns(of: "acme") == 0)
    }

    @Test("A tenant has no more open runs than it may have, and those go on")
    func limit() {
        #expect(admit(1, 1, limit: 1) == .beyond(0))
        _ = intake.confirm(key, upTo: 1)
        let other = RunKey(tenant: "acme", form: .native, name: "other")
        #expect(intake.admit(other, first: 1, last: 1, lost: 0, limit: 1, now: 0) == .full)
        #expect(admit(2, 2, limit: 1) == .beyond(1))
        intake.end(key)
        #expect(intake.admit(other, first: 1, last: 1, lost: 0, limit: 1, now: 0) == .beyond(0))
    }

    @Test("Sessions in other forms count as open runs until they are over, and may begin anew")
    func otherForms() {
        let keys = ["one", "two"].map { RunKey(tenant: "acme", form: .cmcd, name: $0) }
        #expect(intake.admit(keys[0], limit: 1, now: 0) == .begun)
        #expect(intake.admit(keys[0], limit: 1, now: 0) == .open)
        #expect(intake.admit(keys[1], limit: 1, now: 0) == .full)
        #expect(admit(1, 1, limit: 1) == .full)
        intake.end(keys[0])
        #expect(intake.admit(keys[1], limit: 1, now: 0) == .begun)
        // What did not become safe leaves its room.
        intake.withdraw(keys[1])
        #expect(intake.openRuns(of: "acme") == 0)
        #expect(intake.admit(keys[0], limit: 1, now: 0) == .begun)
    }

    @Test("A run does not end for silence while lines are on their way to it")
    func silence() {
        #expect(admit(1, 5) == .beyond(0))
        _ = intake.confirm(key, upTo: 5)
        #expect(admit(6, 7) == .beyond(5))
        #expect(!intake.close(key, behind: 5))
        _ = intake.confirm(key, upTo: 7)
        #expect(intake.close(key, behind: 7))
        #expect(admit(8, 9) == .over(safe: 7))
    }

    private func batch(_ text: String) throws -> NativeBatch {
        let bytes = Array(text.utf8)
        let decoder = ArchiveLineDecoder(knowingRun: true)
        return unsafe try bytes.withUnsafeBytes { unsafe try NativeBatch($0, of: "run", decoder) }
    }

    @Test("A batch is read line by line: one that cannot be used is told, and harms no other")
    func batch() throws {
        let text = """
            {"sent_us":3000000,"lost":2}
            {"n":3,"t_us":5,"event":"play"}
            {"n":4,"t_us":6,"event":"plugin_disabled"}
            {"n":5,"t_us":7,"event":"pause"
            {"t_us":8,"event":"pause"}
            {"n":3,"t_us":9,"event":"pause"}

            {"n":6,"t_us":10,"event":"pause"}
            """
        let made = try batch(text)
        #expect(made.sent == 3_000_000 && made.lost == 2 && made.first == 3 && made.last == 6)
        #expect(made.refusals.map(\.line) == [3, 4, 5, 6])
        let bytes = Array(text.utf8)
        let lines = unsafe bytes.withUnsafeBytes { unsafe made.lines(beyond: 5, of: $0) }
        #expect(String(decoding: lines, as: UTF8.self) == "{\"n\":6,\"t_us\":10,\"event\":\"pause\"}\n")
    }

    @Test(
        "A batch without a line that says when it was sent is refused",
        arguments: ["", "{}", "{\"sent_us\":-1}", "{\"sent_us\":\"1\"}", "nonsense", "{\"sent_us\":1e300}"]
    )
    func noBegin(text: String) {
        #expect(throws: NativeBatch.Problem.self) { try batch(text) }
    }
}
