package import PlaybackEngine
package import Tally

/// Turns what the engine decided for and what is on screen into rendition changes, with shift and cause.
package struct RenditionReporting {
    private var lastDecided: Int64?
    private var lastVisible: Int64?
    /// The ceiling that a command has set, until the engine has followed it.
    private var ceiling: Int64?
    /// What the engine decided for because of a command, until it is on screen.
    private var manual: Int64?

    /// Nothing is decided and nothing visible.
    package init() {}

    /// A command allows renditions up to a bitrate only.
    package mutating func pin(_ bitrate: Int64?) {
        // A ceiling above what is played already changes nothing, and what the engine does later is its own choice.
        ceiling = bitrate.flatMap { bitrate in (current ?? 0) > bitrate ? bitrate : nil }
        manual = nil
    }

    /// The engine downloads a rendition from now on.
    package mutating func decided(_ rendition: EngineRendition) -> Rendition {
        if let ceiling, let bitrate = rendition.bitrate, bitrate <= ceiling {
            manual = bitrate
            self.ceiling = nil
        } else if manual != rendition.bitrate {
            manual = nil
        }
        let change = change(rendition, .decided, from: current)
        lastDecided = rendition.bitrate
        return change
    }

    /// A rendition is on screen from now on.
    package mutating func visible(_ rendition: EngineRendition) -> Rendition {
        let change = change(rendition, .visible, from: lastVisible)
        if change.cause == .manual { manual = nil }
        lastVisible = rendition.bitrate
        return change
    }

    private var current: Int64? { lastDecided ?? lastVisible }

    private func change(_ rendition: EngineRendition, _ phase: Rendition.Phase, from last: Int64?) -> Rendition {
        var change = Rendition()
        change.phase = phase
        change.bitrate = rendition.bitrate
        change.width = rendition.width.map(Int64.init)
        change.height = rendition.height.map(Int64.init)
        change.framesPerSecond = rendition.framesPerSecondMilli.map { Double($0) / 1000 }
        change.cause = manual != nil && manual == rendition.bitrate ? .manual : .automatic
        if let last, let bitrate = rendition.bitrate {
            change.shift = bitrate > last ? .up : bitrate < last ? .down : .same
        }
        return change
    }
}
