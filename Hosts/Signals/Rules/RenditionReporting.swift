package import MediaRules
package import Tally

/// Turns what the engine decided for and what is on screen into rendition changes, with shift and cause.
package struct RenditionReporting {
    private var lastDecided: Int64?
    private var lastVisible: Int64?
    /// The ceiling that a command has set, until the engine has followed it.
    private var ceiling: Int64?
    /// What the engine decided for and is not on screen yet, in order: both phases of a change have one cause.
    private var decisions: [(bitrate: Int64, cause: Rendition.Cause)] = []
    /// Sound alone is never on screen.
    private static let decisionLimit = 64

    /// Nothing is decided and nothing visible.
    package init() {}

    /// A command allows renditions up to a bitrate only.
    package mutating func pin(_ bitrate: Int64?) {
        // A ceiling above what is played already changes nothing, and what the engine does later is its own choice.
        ceiling = bitrate.flatMap { bitrate in (current ?? 0) > bitrate ? bitrate : nil }
    }

    /// The engine downloads a rendition from now on.
    package mutating func decided(_ rendition: StreamRendition) -> Rendition {
        var cause = Rendition.Cause.automatic
        if let ceiling, let bitrate = rendition.bitrate, bitrate <= ceiling {
            cause = .manual
            self.ceiling = nil
        }
        if let bitrate = rendition.bitrate {
            if decisions.count == Self.decisionLimit { decisions.removeFirst() }
            decisions.append((bitrate, cause))
        }
        let change = change(rendition, .decided, cause, from: current)
        lastDecided = rendition.bitrate
        return change
    }

    /// A rendition is on screen from now on.
    package mutating func visible(_ rendition: StreamRendition) -> Rendition {
        let change = change(rendition, .visible, cause(ofVisible: rendition.bitrate), from: lastVisible)
        lastVisible = rendition.bitrate
        return change
    }

    private var current: Int64? { lastDecided ?? lastVisible }

    /// The cause of the decision that has come on screen; what was decided before it is past.
    private mutating func cause(ofVisible bitrate: Int64?) -> Rendition.Cause {
        guard let index = decisions.firstIndex(where: { $0.bitrate == bitrate }) else { return .automatic }
        defer { decisions.removeFirst(index + 1) }
        return decisions[index].cause
    }

    private func change(
        _ rendition: StreamRendition,
        _ phase: Rendition.Phase,
        _ cause: Rendition.Cause,
        from last: Int64?
    ) -> Rendition {
        var change = Rendition()
        change.phase = phase
        change.bitrate = rendition.bitrate
        change.width = rendition.width.map(Int64.init)
        change.height = rendition.height.map(Int64.init)
        change.framesPerSecond = rendition.framesPerSecondMilli.map { Double($0) / 1000 }
        change.cause = cause
        if let last, let bitrate = rendition.bitrate {
            change.shift = bitrate > last ? .up : bitrate < last ? .down : .same
        }
        return change
    }
}
