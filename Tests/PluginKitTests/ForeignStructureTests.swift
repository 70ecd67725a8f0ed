import PluginABI
import PluginKit
import Testing

@Suite("Structures of another version are read as far as both sides know them")
@safe struct ForeignStructureTests {
    private let entry = unsafe TestLibrary.library.entry

    @Test func aHostThatEndsBeforeItsExtensionsIsRefusedWithoutReadingBehindIt() throws {
        let host = FakeHost()
        let memory = unsafe try GuardedMemory(host.table, size: 32)
        let tracker = unsafe try #require(
            HostedTracker(
                entry,
                "org.tally.test.bare",
                host: host,
                hostPointer: memory.pointer(to: tally_host.self)
            )
        )
        #expect(tracker.start() == TALLY_ERR_UNSUPPORTED)
        #expect(host.errors == ["-2 this host does not offer tally.emit/1, which is needed here"])
    }

    @Test func aHostThatEndsBeforeItsFirstFunctionIsRefusedInSilence() throws {
        let host = FakeHost()
        let memory = unsafe try GuardedMemory(host.table, size: 16)
        let tracker = unsafe try #require(
            HostedTracker(
                entry,
                "org.tally.test.bare",
                host: host,
                hostPointer: memory.pointer(to: tally_host.self)
            )
        )
        #expect(tracker.start() == TALLY_ERR_UNSUPPORTED)
        #expect(host.errors.isEmpty)
    }

    @Test func aHostThatIsLongerIsReadLikeOneOfTheSameVersion() throws {
        let host = FakeHost()
        var longer = unsafe LongerHost(base: host.table)
        unsafe longer.base.struct_size = UInt32(MemoryLayout<LongerHost>.size)
        let memory = unsafe host.arena.keep(longer)
        let pointer = unsafe UnsafeRawPointer(memory).assumingMemoryBound(to: tally_host.self)
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.test.bare", host: host, hostPointer: pointer))
        #expect(tracker.start() == TALLY_OK)
    }

    @Test func aTableThatEndsBeforeAFunctionDoesNotOfferIt() throws {
        let host = FakeHost()
        let memory = try GuardedMemory(FakeHostTables.emit, size: 24)
        unsafe host.replaced[TALLY_EXT_EMIT] = unsafe UnsafeRawPointer(memory.start)
        var script = ScriptedTracker.Script()
        script.handle = { (host, _) throws(TrackerFault) in
            host.reportError(code: "E1", message: "no licence")
            let record = RecordBuilder()
            record.begin("still")
            host.emit(record)
        }
        let tracker = try #require(TestLibrary.tracker(host, script))
        #expect(tracker.start() == TALLY_OK)
        #expect(tracker.handle(TestBlock(.play)) == TALLY_OK)
        #expect(host.logs == ["2 error E1 could not be reported: no licence"])
        #expect(host.records.map(\.kind) == ["still"])
    }

    @Test func aRunThatEndsBeforeItsStoredValuesHasNone() throws {
        let host = FakeHost()
        var info = unsafe tally_run_info()
        unsafe info.player_run_id = unsafe host.arena.text("run-9")
        unsafe info.instance = unsafe host.arena.text("second")
        unsafe info.epoch_us = 42
        let memory = unsafe try GuardedMemory(info, size: 48)
        let seen = Seen()
        var script = ScriptedTracker.Script()
        script.begin = { _, run in
            seen.note("\(run.playerRunID) \(run.instance) \(run.epochMicroseconds) \(run.stored)")
        }
        let tracker = ScriptedTracker.$script.withValue(script) {
            unsafe HostedTracker(
                entry,
                "org.tally.test.scripted",
                host: host,
                run: memory.pointer(to: tally_run_info.self)
            )
        }
        #expect(tracker?.start() == TALLY_OK)
        #expect(seen.texts == ["run-9 second 42 [:]"])
    }

    @Test func storedValuesOfARunAreCopied() throws {
        let host = FakeHost()
        let heap = unsafe host.arena.keep(bytes: Array("viewer_idabc".utf8))
        var attribute = tally_attr()
        attribute.key_len = 9
        attribute.type = TALLY_T_STRING
        attribute.len = 3
        unsafe attribute.v.off = 9
        var info = unsafe tally_run_info()
        unsafe info.struct_size = unsafe UInt32(MemoryLayout<tally_run_info>.size)
        unsafe info.stored = unsafe UnsafePointer(host.arena.keep(attribute))
        unsafe info.stored_count = 1
        unsafe info.heap = UnsafeRawPointer(heap)
        unsafe info.heap_len = 12
        let pointer = unsafe UnsafePointer(host.arena.keep(info))
        let seen = Seen()
        var script = ScriptedTracker.Script()
        script.begin = { _, run in seen.note("\(run.stored)") }
        let tracker = ScriptedTracker.$script.withValue(script) {
            unsafe HostedTracker(entry, "org.tally.test.scripted", host: host, run: pointer)
        }
        unsafe heap.storeBytes(of: 0, as: UInt64.self)
        #expect(tracker?.start() == TALLY_OK)
        #expect(seen.texts.count == 1)
        #expect(seen.texts[0].contains("viewer_id"))
        #expect(seen.texts[0].contains("abc"))
    }

    /// A host of a later version.
    @safe private struct LongerHost {
        var base: tally_host
        var later: (UInt64, UInt64) = (1, 2)
    }
}
