internal import EventModel
package import PluginABI
public import PluginKit

/// Outputs as a host hands them to a reporter, made by hand: for ``FakeHost/deliver(_:)``.
@safe public final class ReporterOutputs {
    private let playerRunID: String
    private let epochMicroseconds: Int64
    private let plugin: String
    private let instance: String
    private let videoID: String
    private let memory = LentMemory()
    private var items: [UnsafePointer<tally_output>] = unsafe []
    // What the items point into.
    private var blocks: [EventBlock] = []
    private var builders: [RecordBuilder] = []

    /// Begins without outputs.
    ///
    /// - Parameters:
    ///   - playerRunID: the player run that they belong to.
    ///   - epochMicroseconds: wall clock at the run's time 0, us since 1970.
    ///   - plugin: the id of the tracker that says records and beacons.
    ///   - instance: the configured name of that tracker.
    ///   - videoID: the id of the sessions' asset.
    public init(
        playerRunID: String = "run-1",
        epochMicroseconds: Int64 = 1_700_000_000_000_000,
        plugin: String = "org.example.tracker",
        instance: String = "tracker",
        videoID: String = ""
    ) {
        self.playerRunID = playerRunID
        self.epochMicroseconds = epochMicroseconds
        self.plugin = plugin
        self.instance = instance
        self.videoID = videoID
    }

    /// How many outputs there are.
    public var count: Int { unsafe items.count }

    /// Adds the begin or the end of a run or a session, at a time of the run, us.
    public func add(_ kind: OutputKind, at time: Int64 = 0, session: UInt32 = 0) {
        add(kind: kind.rawValue, at: time, session: session)
    }

    /// Adds an output without content, of a kind that need not be known.
    package func add(kind: UInt32, at time: Int64 = 0, session: UInt32 = 0) {
        unsafe add(kind, nil, at: time, session: session)
    }

    /// Adds the news that a full queue has cost outputs.
    public func addGap(_ lostCount: UInt64, at time: Int64 = 0) {
        unsafe add(TALLY_OUTPUT_GAP, UnsafeRawPointer(memory.keep(lostCount)), at: time, session: 0)
    }

    /// Adds a line of the run's archive, with its break, by its number.
    public func add(line: String, ordinal: UInt64, at time: Int64 = 0, session: UInt32 = 0) {
        let text = unsafe memory.text(Array(line.utf8))
        unsafe add(TALLY_OUTPUT_LINE, UnsafeRawPointer(memory.keep(text)), at: time, session: session, ordinal: ordinal)
    }

    /// Adds an event.
    public func add(_ event: EventBlock) {
        blocks.append(event)
        let header = unsafe event.raw.pointee
        unsafe add(
            TALLY_OUTPUT_EVENT,
            UnsafeRawPointer(event.raw),
            at: header.time_us,
            session: header.session,
            ordinal: header.ordinal
        )
    }

    /// Adds a record by the number that it has in its run and instance.
    public func add(_ record: FakeHost.Record, ordinal: UInt64, session: UInt32 = 1) {
        let builder = RecordBuilder()
        unsafe tally_str.lend(record.kind) { unsafe builder.begin(UTF8Text($0)) }
        for attribute in record.attributes {
            builder.set(named: attribute.name, attribute.value)
        }
        builders.append(builder)
        unsafe add(
            TALLY_OUTPUT_RECORD,
            UnsafeRawPointer(builder.raw),
            at: record.time,
            session: session,
            ordinal: ordinal,
            isOfTracker: true
        )
    }

    /// Adds a beacon by the number that it has in its run and instance.
    public func add(_ beacon: FakeHost.Beacon, ordinal: UInt64, session: UInt32 = 1) {
        let headers = unsafe beacon.headers.map { header in
            unsafe tally_header(name: memory.text(header.name), value: memory.text(header.value))
        }
        let patches = beacon.patches.map { patch in
            tally_patch(
                part: patch.part.rawValue,
                kind: patch.patch.kind,
                off: UInt64(patch.offset),
                width: UInt64(patch.patch.width)
            )
        }
        let raw = unsafe tally_beacon(
            struct_size: UInt32(MemoryLayout<tally_beacon>.size),
            flags: beacon.options.rawValue,
            destination: memory.text(beacon.destination),
            method: memory.text(beacon.method),
            url: memory.text(beacon.url),
            body: memory.text(beacon.body),
            headers: UnsafePointer(memory.keep(array: headers)),
            header_count: UInt64(headers.count),
            credential: memory.text(beacon.credential),
            patches: UnsafePointer(memory.keep(array: patches)),
            patch_count: UInt64(patches.count),
            records: UnsafePointer(memory.keep(array: beacon.records)),
            record_count: UInt64(beacon.records.count),
            max_age_s: beacon.maximumAgeSeconds
        )
        unsafe add(
            TALLY_OUTPUT_BEACON,
            UnsafeRawPointer(memory.keep(raw)),
            at: beacon.time,
            session: session,
            ordinal: ordinal,
            isOfTracker: true
        )
    }

    /// The array for `take`, valid as long as this object lives.
    package var list: UnsafePointer<UnsafePointer<tally_output>> { unsafe UnsafePointer(memory.keep(array: items)) }

    private func add(
        _ kind: UInt32,
        _ item: UnsafeRawPointer?,
        at time: Int64,
        session: UInt32,
        ordinal: UInt64 = 0,
        isOfTracker: Bool = false
    ) {
        let origin = unsafe tally_origin(
            struct_size: UInt32(MemoryLayout<tally_origin>.size),
            session: session,
            player_run_id: memory.text(playerRunID),
            plugin_id: memory.text(isOfTracker ? plugin : ""),
            plugin_version: memory.text(isOfTracker ? "1.0.0" : ""),
            instance: memory.text(isOfTracker ? instance : ""),
            ordinal: ordinal,
            time_us: time,
            epoch_us: epochMicroseconds,
            video_id: memory.text(session == 0 ? "" : videoID)
        )
        let output = unsafe tally_output(
            struct_size: UInt32(MemoryLayout<tally_output>.size),
            what: kind,
            origin: UnsafePointer(memory.keep(origin)),
            item: item
        )
        unsafe items.append(UnsafePointer(memory.keep(output)))
    }
}

/// Memory that is lent over the ABI, freed with this object.
@safe package final class LentMemory {
    private var allocations: [UnsafeMutableRawPointer] = unsafe []

    /// Lends nothing yet.
    package init() {}

    deinit {
        while let allocation = unsafe allocations.popLast() { unsafe allocation.deallocate() }
    }

    /// Keeps a plain value at a place of its own.
    package func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> { unsafe keep(array: [value]) }

    /// Keeps plain values one behind another.
    package func keep<Value>(array: [Value]) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: max(array.count, 1))
        unsafe memory.initialize(from: array, count: array.count)
        unsafe allocations.append(UnsafeMutableRawPointer(memory))
        return unsafe memory
    }

    /// Keeps bytes, aligned to 8.
    package func keep(bytes: [UInt8]) -> UnsafeMutableRawPointer {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(bytes.count, 8), alignment: 8)
        unsafe memory.copyMemory(from: bytes, byteCount: bytes.count)
        unsafe allocations.append(memory)
        return unsafe memory
    }

    /// Keeps bytes as a text.
    package func text(_ bytes: [UInt8]) -> tally_str {
        unsafe tally_str(ptr: keep(bytes: bytes).assumingMemoryBound(to: CChar.self), len: bytes.count)
    }

    /// Keeps a text.
    package func text(_ text: String) -> tally_str { unsafe self.text(Array(text.utf8)) }
}
