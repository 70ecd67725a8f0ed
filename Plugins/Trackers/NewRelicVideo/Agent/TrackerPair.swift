internal import PluginKit

/// The trackers of the content and of the ads under one id, with their timers.
package final class TrackerPair {
    /// The id.
    package let id: Int64
    /// What the player's events mean to the two.
    package let binding: PlayerBinding

    private let host: TrackerHost
    private let generation: Generation
    private var contentHeartbeat: Interval?
    private var adHeartbeat: Interval?
    private var aggregate: Interval?
    private let aggregatePeriod: (onDemand: Int64, live: Int64)?

    init(id: Int64, binding: PlayerBinding, configuration: TrackerConfiguration, host: TrackerHost) {
        self.id = id
        self.binding = binding
        self.host = host
        generation = configuration.generation
        if generation == .b, configuration.qualityHarvests > 0 {
            let onDemand = configuration.delivery?.onDemand ?? HarvestLimits.onDemand
            let live = configuration.delivery?.live ?? HarvestLimits.live
            let harvests = configuration.qualityHarvests
            aggregatePeriod = (onDemand.period * harvests, live.period * harvests)
        } else {
            aggregatePeriod = nil
        }
        setHeartbeat(configuration.heartbeatPeriod)
    }

    /// The tracker of the content, nil without.
    package var content: VideoTracker? { binding.content }
    /// The tracker of the ads, nil without and as long as none is needed.
    package var ad: VideoTracker? { binding.ad }

    /// Changes the time between two heartbeats, us; nil for none.
    ///
    /// Those of generation B's ads come every 2 s.
    func setHeartbeat(_ period: Int64?, at time: Int64? = nil) {
        contentHeartbeat?.stop()
        adHeartbeat?.stop()
        contentHeartbeat = period.map { Interval(every: $0, host: host) }
        let adPeriod = generation == .a ? period : period.map { _ in VideoTracker.adHeartbeatMilliseconds * 1000 }
        adHeartbeat = adPeriod.map { Interval(every: $0, host: host) }
        if let time { runTimers(at: time, isLive: false) }
    }

    /// Starts or stops the timers, as streams started or ended in this call.
    func runTimers(at time: Int64, isLive: @autoclosure () -> Bool) {
        Self.run(&contentHeartbeat, wanted: content?.wantsHeartbeat ?? false, at: time)
        if let ad { Self.run(&adHeartbeat, wanted: ad.wantsHeartbeat, at: time) }
        if let aggregatePeriod {
            let wanted = content?.wantsHeartbeat ?? false
            if wanted, aggregate == nil {
                aggregate = Interval(every: isLive() ? aggregatePeriod.live : aggregatePeriod.onDemand, host: host)
                aggregate?.start(at: time)
            } else if !wanted, aggregate != nil {
                aggregate?.stop()
                aggregate = nil
            }
        }
    }

    private static func run(_ interval: inout Interval?, wanted: Bool, at time: Int64) {
        guard let isRunning = interval?.isRunning, isRunning != wanted else { return }
        if wanted {
            interval?.start(at: time)
        } else {
            interval?.stop()
        }
    }

    /// Does what is due if the timer is one of this pair.
    func fires(_ timer: TimerID, at moment: Moment) -> Bool {
        if contentHeartbeat?.fires(timer, at: moment.time) == true {
            content?.sendHeartbeat(at: moment)
        } else if adHeartbeat?.fires(timer, at: moment.time) == true {
            ad?.sendHeartbeat(at: moment)
        } else if aggregate?.fires(timer, at: moment.time) == true {
            content?.sendQualityAggregate(at: moment)
        } else {
            return false
        }
        return true
    }

    /// Stops all timers.
    func stop() {
        contentHeartbeat?.stop()
        adHeartbeat?.stop()
        aggregate?.stop()
        aggregate = nil
    }
}
