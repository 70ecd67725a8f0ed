internal import PluginABI

/// What a reporter's thread does: makes the instance, hands it outputs, ends it. [reporter]
@safe struct ReporterLoop {
    /// Outputs that are offered in one call at most.
    private static let batch = 256
    /// How long a plugin that is full is left alone unless it says that it is ready, us.
    private static let retryMicroseconds: Int64 = 100_000

    let link: ReporterLink
    let queue: OutputQueue

    /// Runs until the queue is closed and empty.
    ///
    /// `started` is called once: with what the reporter wants to see.
    func run(
        entry: PluginCatalog.Entry,
        configuration: String,
        started: (Result<UInt32, PluginError>) -> Void
    ) {
        let made = unsafe PluginInstance.make(
            entry,
            instance: link.name,
            host: link.host,
            run: nil,
            configuration: configuration,
            errorText: link.takeError
        )
        let instance: PluginInstance
        switch made {
        case .success(let made): instance = made
        case .failure(let error):
            started(.failure(error))
            return
        }
        let reporter: tally_reporter
        do throws(PluginError) {
            reporter = try instance.reporterTable()
        } catch {
            instance.destroy()
            started(.failure(error))
            return
        }
        if let error = instance.enable() {
            instance.destroy()
            started(.failure(error))
            return
        }
        started(.success(reporter.wants == 0 ? .max : reporter.wants))
        while let taken = queue.take() {
            deliver(gap: taken.gap, instance, reporter)
            for segment in taken.segments {
                deliver(segment, instance, reporter)
                queue.recycle(segment)
            }
        }
        instance.disable()
        instance.destroy()
        link.answerAll()
    }

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
        var position = range.lowerBound
        while position < range.upperBound {
            let count = min(Self.batch, range.upperBound - position)
            link.room.with { $0 = false }
            let taken = unsafe segment.outputs.withUnsafeBufferPointer { outputs -> Int64 in
                guard let start = outputs.baseAddress else { return 0 }
                let items = unsafe UnsafeRawPointer(start + position).assumingMemoryBound(
                    to: UnsafePointer<tally_output>.self
                )
                return unsafe reporter.take(instance.plugin, items, UInt64(count))
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

    private func flush(_ request: FlushRequest, _ instance: PluginInstance, _ reporter: tally_reporter) {
        link.asked(request.token)
        var runID = request.runID
        runID.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                unsafe reporter.flush(
                    instance.plugin,
                    request.token,
                    tally_str(ptr: bytes.baseAddress, len: bytes.count),
                    request.session,
                    request.budget
                )
            }
        }
    }

    private func deliver(gap: UInt64, _ instance: PluginInstance, _ reporter: tally_reporter) {
        guard gap > 0 else { return }
        var gap = gap
        link.lost(gap)
        guard reporter.wants == 0 || reporter.wants & (1 << TALLY_OUTPUT_GAP) != 0 else { return }
        let identity = OriginIdentity(runID: "", epoch: 0)
        let segment = OutputSegment()
        unsafe withUnsafePointer(to: &gap) { gap in
            _ = unsafe segment.append(
                Output(
                    what: TALLY_OUTPUT_GAP,
                    identity: identity,
                    session: 0,
                    ordinal: 0,
                    time: 0,
                    item: UnsafeRawPointer(gap)
                )
            )
        }
        offer(segment, 0..<1, instance, reporter)
    }
}
