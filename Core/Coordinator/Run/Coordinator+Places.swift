internal import PluginABI
package import PluginLoading

/// Where a tracker that has a process of its own takes the place of another.
package struct TakenPlace: Sendable, Equatable {
    /// The number of the event that says so, see ``OutputMoment``.
    package var event: UInt64
    /// Whether it goes on in the open session; otherwise it joins.
    package var goesOn: Bool
    /// Whether it is enabled there.
    package var isEnabled: Bool
    /// The numbers of the last record and the last beacon before.
    package var records: UInt64 = 0
    package var beacons: UInt64 = 0

    /// A place; nothing was said before.
    package init(event: UInt64, goesOn: Bool, isEnabled: Bool) {
        self.event = event
        self.goesOn = goesOn
        self.isEnabled = isEnabled
    }
}

/// What a tracker has come to that was told a run, in a form that can be compared.
package struct TrackerStanding: Sendable, Equatable {
    /// What it said in the open session: how much, and of which kinds in which order; and whether it is enabled.
    package var said = ""
    /// The configuration that it has, JSON text.
    package var configuration = "{}"
    /// Whether outputs of it wait for the viewer's consent.
    package var isHeld = false

    /// One that has said nothing.
    package init() {}
}

// What the processes of the two trackers do where one takes the other's place.
extension Coordinator {
    /// Where a tracker stands; nil for one that there is not.
    package func standing(of instance: String) -> TrackerStanding? {
        guard let tracker = trackers.find(instance) else { return nil }
        var standing = TrackerStanding()
        standing.said = "\(tracker.said) \(tracker.isEnabled)"
        standing.configuration = tracker.configuration
        standing.isHeld = tracker.held.count > 0
        return standing
    }

    /// How many records and beacons a tracker has numbered.
    package func numbered(by instance: String) -> (records: UInt64, beacons: UInt64) {
        trackers.find(instance).map { ($0.recordOrdinal, $0.beaconOrdinal) } ?? (0, 0)
    }

    /// Readies a tracker to speak from the event on that comes next, dated `time`, where another one spoke before.
    ///
    /// - Throws: why it cannot.
    package func ready(_ setup: TrackerSetup, for place: TakenPlace, at time: Int64) throws(PluginError) {
        advance(before: time)
        if !place.goesOn {
            trackers.remove(setup.name)?.destroy()
            var setup = setup
            setup.enabled = place.isEnabled
            pending[setup.name] = try PreparedTracker(
                setup,
                replacing: nil,
                run: run,
                router: router,
                log: log,
                lending: lent,
                at: time
            )
        }
        let tracker = pending[setup.name]?.tracker ?? trackers.find(setup.name)
        tracker?.recordOrdinal = place.records
        tracker?.beaconOrdinal = place.beacons
    }
}
