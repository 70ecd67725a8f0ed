internal import PluginKit

/// The trackers of the content and of the ads under one id, with their timers.
package final class TrackerPair {
    /// The id.
    package let id: Int64
    /// Which trackers were asked for.
    let roles: TrackerRoles
    /// What the player's events mean to the two.
    package let binding: PlayerBinding
    /// Who the two are.
    let identifiers: ViewIdentifiers

    private let host: TrackerHost
    private let generation: Generation
    private var contentHeartbeat: Interval?
    private var adHeartbeat: Interval?
    private var aggregate: Interval?
    private var aggregatePeriod: (onDemand: Int64, live: Int64)?

    init(
        id: Int64,
        roles: TrackerRoles,
        binding: PlayerBinding,
        identifiers: ViewIdentifiers,
        configuration: TrackerConfiguration,
        host: TrackerHost
    ) {
        self.id = id
        self.roles = roles
        self.binding = binding
        self.identifiers = identifiers
        self.host = host
        generation = configuration.generation
        setAggregatePeriod(configuration)
        setHeartbeat(configuration.heartbeatPeriod)
    }

    private func setAggregatePeriod(_ configuration: TrackerConfiguration) {
        if generation == .b, configuration.qualityHarvests > 0 {
            let onDemand = configuration.delivery?.onDemand ?? HarvestLimits.onDemand
            let live = configuration.delivery?.live ?? HarvestLimits.live
            let harvests = configuration.qualityHarvests
            aggregatePeriod = (onDemand.period * harvests, live.period * harvests)
        } else {
            aggregatePeriod = nil
        }
    }

    /// Takes over another configuration; the figures of a view come at the new times from the next view on.
    func reconfigure(_ configuration: TrackerConfiguration) {
        setAggregatePeriod(configuration)
        if aggregatePeriod == nil {
            aggregate?.stop()
            aggregate = nil
        }
        content?.reconfigure(configuration)
        ad?.reconfigure(configuration)
    }

    /// Carries the trackers and the timers, for a replacement.
    func carry(by transfer: StateTransfer, restoreAd: () -> VideoTracker?) {
        binding.carry(by: transfer, restoreAd: restoreAd)
        contentHeartbeat?.carry(by: transfer)
        adHeartbeat?.carry(by: transfer)
        var period = aggregate?.period
        transfer.carry(&period)
        if transfer.isLoading { aggregate = period.map { Interval(every: $0, host: host) } }
        aggregate?.carry(by: transfer)
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
        content?.heartbeatPeriod = period
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
