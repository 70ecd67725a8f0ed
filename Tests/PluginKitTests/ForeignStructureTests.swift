import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("Structures of another version are read as far as both sides know them")
@safe struct ForeignStructureTests {
    private let host = TestLibrary.host("org.tally.test.bare")
    private let lent = LentMemory()

    @Test func aHostThatEndsBeforeItsExtensionsIsRefusedWithoutReadingBehindIt() throws {
        let memory = unsafe try GuardedMemory(host.table, size: 32)
        unsafe #expect(host.create(host: memory.pointer(to: tally_host.self), run: nil))
        #expect(host.initialize() == TALLY_ERR_UNSUPPORTED)
        let text = "this host does not offer tally.emit/1, which is needed here"
        #expect(host.faults == [FakeHost.Fault(TALLY_ERR_UNSUPPORTED, text)])
    }

    @Test func aHostThatEndsBeforeItsFirstFunctionIsRefusedInSilence() throws {
        let memory = unsafe try GuardedMemory(host.table, size: 16)
        unsafe #expect(host.create(host: memory.pointer(to: tally_host.self), run: nil))
        #expect(host.initialize() == TALLY_ERR_UNSUPPORTED)
        #expect(host.faults.isEmpty)
    }

    @Test func aHostThatIsLongerIsReadLikeOneOfTheSameVersion() throws {
        var longer = unsafe LongerHost(base: host.table)
        unsafe longer.base.struct_size = UInt32(MemoryLayout<LongerHost>.size)
        let pointer = unsafe UnsafeRawPointer(lent.keep(longer)).assumingMemoryBound(to: tally_host.self)
        unsafe #expect(host.create(host: pointer, run: nil))
        #expect(host.initialize() == TALLY_OK)
    }

    @Test func aTableThatEndsBeforeAFunctionDoesNotOfferIt() throws {
        let memory = unsafe try GuardedMemory(FakeHostTables.emit.pointee, size: 24)
        var script = ScriptedTracker.Script()
        script.handle = { (host, _) throws(TrackerFault) in
            host.reportError(code: "E1", message: "no licence")
            let record = RecordBuilder()
            record.begin("still")
            host.emit(record)
        }
        let host = TestLibrary.host(script)
        unsafe host.replacedExtensions[TALLY_EXT_EMIT] = unsafe UnsafeRawPointer(memory.start)
        #expect(host.initialize() == TALLY_OK)
        #expect(host.enable() == TALLY_OK)
        #expect(host.send(.play) == TALLY_OK)
        #expect(host.logLines.map(\.message) == ["error E1 could not be reported: no licence"])
        #expect(host.records.map(\.kind) == ["still"])
    }

    @Test func aRunThatEndsBeforeItsStoredValuesHasNone() throws {
        var info = unsafe tally_run_info()
        unsafe info.player_run_id = unsafe lent.text("run-9")
        unsafe info.instance = unsafe lent.text("second")
        unsafe info.epoch_us = 42
        let memory = unsafe try GuardedMemory(info, size: 48)
        let run = unsafe memory.pointer(to: tally_run_info.self)
        #expect(runInformation { unsafe $0.create(host: nil, run: run) } == ["run-9 second 42 [:]"])
    }

    @Test func storedValuesOfARunAreCopied() throws {
        let record = RecordBuilder()
        record.begin("stored")
        record.set("viewer_id", "abc")
        var info = unsafe tally_run_info()
        unsafe info.struct_size = unsafe UInt32(MemoryLayout<tally_run_info>.size)
        unsafe info.stored = record.raw
        let run = unsafe UnsafePointer(lent.keep(info))
        let texts = runInformation { host in
            defer { record.begin("gone") }
            return unsafe host.create(host: nil, run: run)
        }
        #expect(texts.count == 1)
        #expect(texts[0].contains("viewer_id"))
        #expect(texts[0].contains("abc"))
    }

    /// What a tracker that is made in `create` sees of its run when it is configured.
    private func runInformation(_ create: (FakeHost) -> Bool) -> [String] {
        let seen = Seen()
        var script = ScriptedTracker.Script()
        script.begin = { _, run in
            seen.note("\(run.playerRunID) \(run.instance) \(run.epochMicroseconds) \(run.stored)")
        }
        let host = TestLibrary.host("org.tally.test.scripted")
        let isMade = ScriptedTracker.$script.withValue(script) { create(host) }
        #expect(isMade)
        #expect(host.initialize() == TALLY_OK)
        return seen.texts
    }

    /// A host of a later version.
    @safe private struct LongerHost {
        var base: tally_host
        var later: (UInt64, UInt64) = (1, 2)
    }
}
