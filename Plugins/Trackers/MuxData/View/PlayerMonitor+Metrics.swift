internal import PluginKit

// What is measured, as fields, and as a record of its own at a view's end.
extension PlayerMonitor {
    /// Puts what was measured into the fields of the view.
    func refreshMetrics() {
        guard metrics.startedAt != nil else { return refreshRequests() }
        let watched = clock.total
        fields.set(.viewWatchTime, watched)
        fields.set(.viewPlayingTime, clock[.content] + clock[.ad])
        fields.set(.viewContentPlaybackTime, metrics.contentPlayback)
        if let furthest = metrics.furthestPlayhead { fields.set(.viewMaxPlayheadPosition, furthest) }
        if let time = metrics.timeToFirstFrame { fields.set(.viewTimeToFirstFrame, time) }
        if metrics.isProgramChange { fields.set(.viewProgramChanged, true) }
        refreshRebuffering(watched)
        if metrics.seeks.count > 0 {
            fields.set(.viewSeekCount, metrics.seeks.count)
            fields.set(.viewSeekDuration, metrics.seeks.duration)
            fields.set(.viewMaxSeekTime, metrics.seeks.longest)
        }
        refreshScaling()
        refreshRequests()
        refreshAds()
    }

    private func refreshRebuffering(_ watched: Int64) {
        guard metrics.rebufferCount > 0 else { return }
        let duration = rebufferDuration
        fields.set(.viewRebufferCount, metrics.rebufferCount)
        fields.set(.viewRebufferDuration, duration)
        guard watched > 0 else { return }
        fields.set(.viewRebufferFrequency, .double(Double(metrics.rebufferCount) / Double(watched)))
        fields.set(.viewRebufferPercentage, .double(Double(duration) / Double(watched)))
    }

    /// Time of all stalls, the one that goes on included.
    private var rebufferDuration: Int64 {
        metrics.rebufferDuration + (rebufferStart.map { max(0, now - $0) } ?? 0)
    }

    private func refreshScaling() {
        let scaling = metrics.scaling
        guard scaling.hasMeasured else { return }
        fields.set(.viewTotalContentPlaybackTime, scaling.playback)
        fields.set(.viewTotalUpscaling, .double(scaling.up))
        fields.set(.viewTotalDownscaling, .double(scaling.down))
        fields.set(.viewMaxUpscalePercentage, .double(scaling.strongestUp))
        fields.set(.viewMaxDownscalePercentage, .double(scaling.strongestDown))
    }

    private func refreshRequests() {
        let requests = metrics.requests
        guard requests.count > 0 else { return }
        fields.set(.viewRequestCount, requests.count)
        if requests.failed > 0 { fields.set(.viewRequestFailedCount, requests.failed) }
        if requests.cancelled > 0 { fields.set(.viewRequestCanceledCount, requests.cancelled) }
        fields.set(.viewMinRequestThroughput, ifKnown: requests.lowestThroughput)
        fields.set(.viewAverageRequestThroughput, ifKnown: requests.averageThroughput)
        fields.set(.viewMaxRequestLatency, ifKnown: requests.longestLatency)
        fields.set(.viewAverageRequestLatency, ifKnown: requests.averageLatency)
    }

    private func refreshAds() {
        let ads = metrics.ads
        guard ads.requests + ads.played > 0 else { return }
        fields.set(.viewAdPlayedCount, ads.played)
        if ads.requests > 0 { fields.set(.viewAdRequestCount, ads.requests) }
        fields.set(.viewAdRequestTime, ifKnown: ads.requestTime)
        if ads.clicked > 0 { fields.set(.viewAdClickedCount, ads.clicked) }
        if ads.skipped > 0 { fields.set(.viewAdSkippedCount, ads.skipped) }
        if ads.prerollRequests > 0 {
            fields.set(.viewPrerollRequested, true)
            fields.set(.viewPrerollRequestCount, ads.prerollRequests)
        }
        fields.set(.viewPrerollRequestTime, ifKnown: ads.prerollRequestTime)
        fields.set(.viewStartupPrerollRequestTime, ifKnown: ads.prerollRequestTime)
        if metrics.isPrerollPlayed { fields.set(.viewPrerollPlayed, true) }
        fields.set(.viewPrerollLoadTime, ifKnown: ads.prerollLoadTime)
        fields.set(.viewStartupPrerollLoadTime, ifKnown: ads.prerollLoadTime)
    }

    // MARK: - Scaling

    /// Closes the scaling sample and takes the next one.
    func takeScalingSample() {
        guard let lastPlayhead else { return }
        metrics.scaling.take(
            player: pair(.playerWidth, .playerHeight),
            source: pair(.videoSourceWidth, .videoSourceHeight),
            playhead: lastPlayhead
        )
    }

    /// Closes the scaling sample.
    func closeScalingSample() {
        guard let lastPlayhead else { return }
        metrics.scaling.close(playhead: lastPlayhead)
    }

    private func pair(_ first: Field, _ second: Field) -> (Int64, Int64)? {
        guard let first = fields.int(first), let second = fields.int(second) else { return nil }
        return (first, second)
    }

    // MARK: - The whole view

    /// Says what the published metrics make of a view that had started (docs.mux.com, metric definitions).
    func sayViewMetrics() {
        guard metrics.startedAt != nil else { return }
        records.write("viewmetrics") { record in
            fields[.viewId].write("view_id", to: record)
            let viewer = fields[.viewerUserId] == .absent ? fields[.muxViewerId] : fields[.viewerUserId]
            viewer.write("viewer_id", to: record)
            writeTimes(to: record)
            writeOutcome(to: record)
            writeScores(to: record)
        }
    }

    private func writeTimes(to record: RecordBuilder) {
        record.set("watch_time_ms", clock.total)
        record.set("waiting_time_ms", clock[.waiting])
        record.set("content_time_ms", clock[.content])
        record.set("ad_time_ms", clock[.ad])
        record.set("rebuffer_time_ms", clock[.rebuffering])
        record.set("seek_time_ms", clock[.seeking])
        if let time = metrics.timeToFirstFrame { record.set("video_startup_time_ms", time) }
        if let time = metrics.contentStartup { record.set("content_startup_time_ms", time) }
        if let startupTime, let time = metrics.timeToFirstFrame {
            record.set("aggregate_startup_time_ms", startupTime + time)
        }
        if metrics.seeks.count > 0 {
            record.set("seek_latency_ms", metrics.seeks.duration / metrics.seeks.count)
        }
    }

    private func writeOutcome(to record: RecordBuilder) {
        let isLeft = isLeftBeforeStart
        record.set("exit_before_video_start", isLeft)
        record.set("playback_failure", metrics.hasFailed)
        record.set("video_startup_failure", metrics.hasFailedAtStart)
        record.set("business_exception", metrics.hasBusinessException)
        if !isLeft || clock.total >= Self.shortestExit {
            record.set(
                "playback_success_score",
                ViewScores.success(failed: metrics.hasFailed, leftBeforeStart: isLeft)
            )
        }
    }

    private func writeScores(to record: RecordBuilder) {
        if let time = metrics.timeToFirstFrame {
            record.set("startup_time_score", ViewScores.startup(milliseconds: time))
            let fraction = clock.total > 0 ? Double(clock[.rebuffering]) / Double(clock.total) : 0
            record.set(
                "smoothness_score",
                ViewScores.smoothness(rebufferCount: metrics.rebufferCount, rebufferFraction: fraction)
            )
        }
        let scaling = metrics.scaling
        if scaling.hasMeasured {
            let mean = scaling.up / Double(scaling.playback)
            record.set("upscale_percentage", mean)
            record.set("downscale_percentage", scaling.down / Double(scaling.playback))
            record.set(
                "video_quality_score",
                ViewScores.quality(strongestUpscaling: scaling.strongestUp, meanUpscaling: mean)
            )
        }
    }

    private var isLeftBeforeStart: Bool { metrics.timeToFirstFrame == nil && !metrics.hasFailed }

    /// A view that is left sooner, before its start, has no success score, ms.
    private static let shortestExit: Int64 = 1000
}

extension FieldValue {
    /// Sets an attribute to the value, if there is one.
    fileprivate func write(_ name: StaticString, to record: RecordBuilder) {
        switch self {
        case .absent: break
        case .int(let number): record.set(name, number)
        case .double(let number): record.set(name, number)
        case .flag(let truth): record.set(name, truth)
        case .text(let text), .json(let text): record.set(name, text)
        }
    }
}
