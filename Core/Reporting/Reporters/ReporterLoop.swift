internal import Coordinator
internal import PluginABI
internal import PluginLoading
internal import System

/// What a reporter's thread does: makes the instance, hands it outputs, ends it. [reporter]
@safe final class ReporterLoop {
    /// Outputs that are offered in one call at most.
    private static let batch = 1_024
    /// How long a plugin that is full is left alone unless it says that it is ready, us.
    private static let retryMicroseconds: Int64 = 100_000

    let link: ReporterLink
    private let queue: OutputQueue
    /// The plugin's instance and its functions.
    private(set) var made: (instance: PluginInstance, table: tally_reporter)
    private(set) var isEnabled = false

    /// Makes and initialises the instance; with `resuming` it takes up its output where that mark says.
    init(
        link: ReporterLink,
        queue: OutputQueue,
        entry: PluginCatalog.Entry,
        configuration: String,
        resuming mark: String? = nil
    ) throws(PluginError) {
        self.link = link
        self.queue = queue
        made = try Self.make(entry, configuration, link)
        guard let mark else { return }
        let answer = unsafe made.instance.run(command: ReporterInstance.resumeCommand, arguments: mark)
        if case .failure(let error) = answer {
            try? made.instance.destroy()
            throw error
        }
    }

    /// What the reporter wants to see, as a mask.
    var wanted: UInt32 { made.table.wants == 0 ? ~TALLY_WANTS_RECOVERED : made.table.wants }

    /// Enables the instance; one that refuses is destroyed.
    func begin() throws(PluginError) {
        if let error = made.instance.enable() {
            try? made.instance.destroy()
            throw error
        }
        isEnabled = true
    }

    /// Hands outputs over until the queue is closed and empty, then ends the instance.
    func run() {
        while let taken = queue.waitForOutputs() {
            deliver(taken)
        }
        end()
    }

    /// Hands over what waits and returns: for an instance that has no thread of its own.
    func deliverWaiting() {
        if let taken = queue.removeWaiting() {
            deliver(taken)
        }
    }

    /// Ends the instance.
    func end() {
        disable()
        let command = ReporterInstance.totalsCommand
        if made.instance.commands.contains(where: { $0.name == command }),
            case .success(let totals) = unsafe made.instance.run(command: command, arguments: "{}")
        {
            link.keep(totals: totals)
        }
        try? made.instance.destroy()
        link.answerAll()
    }

    private func deliver(_ taken: OutputQueue.Taken) {
        for gap in taken.gaps { deliver(gap, made.instance, made.table) }
        for segment in taken.segments {
            deliver(segment, made.instance, made.table)
            queue.recycle(segment)
        }
        for job in taken.jobs {
            job.run(self)
        }
    }

    // MARK: - Control

    /// Enables the instance again; returns what went wrong.
    func enable() -> PluginError? {
        guard !isEnabled else { return nil }
        if let error = made.instance.enable() { return error }
        isEnabled = true
        return nil
    }

    /// Disables the instance; what comes while it is disabled is not for it.
    func disable() {
        guard isEnabled else { return }
        isEnabled = false
        try? made.instance.disable()
    }

    /// Hands the instance a new configuration, after which it may want something else.
    func configure(_ configuration: String) -> PluginError? {
        if let error = unsafe made.instance.configure(configuration) { return error }
        do throws(PluginError) {
            made.table = try made.instance.reporterTable()
            return nil
        } catch {
            return error
        }
    }

    /// Puts an instance of another library into the old one's place; on any failure that one goes on.
    ///
    /// Both may want the same file or connection, so the old one is disabled before the new one is enabled, and enabled
    /// again when that fails.
    func replace(_ entry: PluginCatalog.Entry, configuration: String) -> PluginError? {
        let next: (instance: PluginInstance, table: tally_reporter)
        do throws(PluginError) {
            next = try Self.make(entry, configuration, link)
        } catch {
            return error
        }
        let wasEnabled = isEnabled
        disable()
        if wasEnabled, let error = next.instance.enable() {
            try? next.instance.destroy()
            if let second = enable() {
                link.log.write(link.name, TALLY_LOG_ERROR, "cannot go on after a failed replacement: \(second.reason)")
            }
            return error
        }
        try? made.instance.destroy()
        made = next
        isEnabled = wasEnabled
        return nil
    }

    private static func make(
        _ entry: PluginCatalog.Entry,
        _ configuration: String,
        _ link: ReporterLink
    ) throws(PluginError) -> (instance: PluginInstance, table: tally_reporter) {
        let made = unsafe PluginInstance.make(
            entry,
            instance: link.name,
            host: link.host,
            run: nil,
            configuration: configuration,
            errorText: link.removeError
        )
        let instance = try made.get()
        do throws(PluginError) {
            return (instance, try instance.reporterTable())
        } catch {
            try? instance.destroy()
            throw error
        }
    }

    // MARK: - Outputs

    private func deliver(_ segment: OutputSegment, _ instance: PluginInstance, _ reporter: tally_reporter) {
        var position = 0
        for (until, request) in segment.flushes {
            offer(segment, position..<until, instance, reporter)
            position = until
            flush(request, instance, reporter)
        }
        unsafe offer(segment, position..<segment.outputs.count, instance, reporter)
    }

    private func offer(
        _ segment: OutputSegment,
        _ range: Range<Int>,
        _ instance: PluginInstance,
        _ reporter: tally_reporter
    ) {
        guard isEnabled else { return }
        var position = range.lowerBound
        while position < range.upperBound {
            let count = min(Self.batch, range.upperBound - position)
            link.room.with { $0 = false }
            let taken = unsafe segment.outputs.withUnsafeBufferPointer { outputs -> Int64 in
                guard let start = outputs.baseAddress else { return 0 }
                let items = unsafe UnsafeRawPointer(start + position).assumingMemoryBound(
                    to: UnsafePointer<tally_output>.self
                )
                let function = unsafe unsafeBitCast(reporter.take, to: UnsafeRawPointer.self)
                return unsafe (try? instance.call(.take, function, UInt64(register: items), UInt64(count)))?.number
                    ?? -1
            }
            let bounded = min(taken, Int64(count))
            link.count(offered: count, taken: bounded)
            position += bounded < 0 ? count : Int(bounded)
            if bounded >= 0, bounded < count {
                let deadline = SystemTime.monotonic() + Self.retryMicroseconds
                _ = link.room.wait(until: deadline) { $0 ? true : nil }
            }
        }
    }

    private func flush(_ request: SessionFlush, _ instance: PluginInstance, _ reporter: tally_reporter) {
        link.asked(request.token)
        guard isEnabled else {
            link.answer(request.token, FlushAnswer())
            return
        }
        var runID = request.runID
        runID.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                var arguments = unsafe CallArguments(
                    instance.plugin,
                    request.token,
                    UInt64(register: bytes.baseAddress),
                    UInt64(bytes.count)
                )
                arguments[4] = UInt64(request.session)
                arguments[5] = UInt64(register: request.budget)
                let function = unsafe unsafeBitCast(reporter.flush, to: UnsafeRawPointer.self)
                _ = unsafe try? instance.call(.flush, function, arguments)
            }
        }
    }

    private func deliver(_ gap: QueueGap, _ instance: PluginInstance, _ reporter: tally_reporter) {
        guard isEnabled else { return }
        link.lost(gap.lost)
        guard reporter.wants == 0 || reporter.wants & (1 << TALLY_OUTPUT_GAP) != 0 else { return }
        let segment = OutputSegment()
        var lost = gap.lost
        unsafe withUnsafePointer(to: &lost) { lost in
            _ = unsafe segment.append(
                Output(
                    what: TALLY_OUTPUT_GAP,
                    identity: gap.source,
                    session: 0,
                    ordinal: 0,
                    time: 0,
                    item: UnsafeRawPointer(lost)
                )
            )
        }
        offer(segment, 0..<1, instance, reporter)
    }
}
