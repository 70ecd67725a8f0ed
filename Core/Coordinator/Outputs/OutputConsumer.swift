package import PluginABI
internal import PluginLoading

/// Takes what a player run puts out: a reporter's queue, or a test that looks at it.
package protocol OutputConsumer: AnyObject {
    /// Bits `1 << TALLY_OUTPUT_...` of what it wants to see.
    var wanted: UInt32 { get }

    /// Takes one output; everything it points at is lent for the call. [core]
    func consume(_ output: Output)

    /// Asks to deliver what was consumed of a session (0: of the whole run), then to call `done`, from any thread.
    func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void)
}

/// What a reporter says it did with a session's outputs.
package struct FlushAnswer: Sendable, Equatable {
    /// Sent and answered, or given up.
    package var delivered: UInt64 = 0
    /// Kept safely for later.
    package var kept: UInt64 = 0
    /// Lost.
    package var dropped: UInt64 = 0

    /// What a number is at most: plugins say them, and the sum of many has to stay a number.
    private static let largest: UInt64 = 1 << 48

    /// Counts, each of which is at most 2 to the power of 48.
    package init(delivered: UInt64 = 0, kept: UInt64 = 0, dropped: UInt64 = 0) {
        self.delivered = min(delivered, Self.largest)
        self.kept = min(kept, Self.largest)
        self.dropped = min(dropped, Self.largest)
    }

    static func + (left: FlushAnswer, right: FlushAnswer) -> FlushAnswer {
        FlushAnswer(
            delivered: left.delivered + right.delivered,
            kept: left.kept + right.kept,
            dropped: left.dropped + right.dropped
        )
    }
}

/// One output on its way to the consumers.
@safe package struct Output {
    /// `TALLY_OUTPUT_...`.
    package let what: UInt32
    /// Where it comes from; not counted: who makes an output keeps this for as long as the output is used.
    let source: Unmanaged<OriginIdentity>
    /// Session, 0 outside.
    package let session: UInt32
    /// Number of the record, beacon or event.
    package let ordinal: UInt64
    /// Run time, us.
    package let time: Int64
    /// The structure that `what` says, nil where there is none.
    package let item: UnsafeRawPointer?
    /// Whether its origin names the session's asset.
    package var showsVideo = true

    /// Describes an output; the identity and what it points at have to live as long as it does.
    package init(
        what: UInt32,
        identity: OriginIdentity,
        session: UInt32,
        ordinal: UInt64,
        time: Int64,
        item: UnsafeRawPointer?
    ) {
        self.what = what
        unsafe source = .passUnretained(identity)
        self.session = session
        self.ordinal = ordinal
        self.time = time
        unsafe self.item = unsafe item
    }

    /// Where it comes from.
    package var identity: OriginIdentity { unsafe source.takeUnretainedValue() }

    /// The same output with other content, which has to live as long as it does.
    package func with(item: UnsafeRawPointer) -> Output {
        var output = unsafe Output(
            what: what,
            identity: identity,
            session: session,
            ordinal: ordinal,
            time: time,
            item: item
        )
        output.showsVideo = showsVideo
        return output
    }

    /// The configured name of the instance that it comes from; empty for the core.
    package var instanceName: String {
        unsafe identity.instance.text
    }

    /// Where it comes from, in the form in which reporters get it.
    package var origin: tally_origin {
        var origin = unsafe source._withUnsafeGuaranteedRef { source in
            unsafe source.origin(session: session, ordinal: ordinal, time: time)
        }
        if session == 0 || !showsVideo { unsafe origin.video_id = unsafe tally_str(ptr: nil, len: 0) }
        return unsafe origin
    }

    /// Lends the output in the form in which reporters get it, for as long as `body` runs.
    package func withRaw<Result>(_ body: (UnsafePointer<tally_output>) -> Result) -> Result {
        var origin = unsafe origin
        return unsafe withUnsafePointer(to: &origin) { origin in
            var raw = unsafe tally_output(
                struct_size: UInt32(MemoryLayout<tally_output>.size),
                what: what,
                origin: origin,
                item: item
            )
            return unsafe withUnsafePointer(to: &raw) { unsafe body($0) }
        }
    }
}
