internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import System

// What a run's file says to a coordinator, which goes on with the run.
extension OpenRunFile {
    /// Tells a coordinator the lines of a run.
    ///
    /// - Returns: the header, how many lines there were, and how many of them were events; nil when one cannot be read.
    static func replay(
        _ lines: [UInt8],
        into run: Coordinator
    ) -> (lines: Int, events: UInt64)? {
        let reader = ArchiveReader(source(of: lines))
        var isWhole = true
        var count = 0
        var events: UInt64 = 0
        var lastMark: Int64?
        while isWhole, let line = try? reader.next(damaged: { _ in isWhole = false }) {
            count += 1
            lastMark = nil
            switch line {
            case .header, .end: break
            case .event(let event):
                events += 1
                unsafe run.replay(UnsafeMutablePointer(mutating: event.raw))
            case .mark(let time):
                run.advance(before: time)
                run.reach(time)
                lastMark = time
            }
        }
        // A mark stands behind timers that spoke: they have fired.
        if let lastMark { run.advance(to: lastMark) }
        return isWhole ? (count, events) : nil
    }

    /// The plugins that joined a run, or took another's place in it, in their order.
    static func plugins(of lines: [UInt8]) -> [RecordedPlugin] {
        let reader = ArchiveReader(source(of: lines))
        var plugins: [RecordedPlugin] = []
        while let line = try? reader.next(damaged: { _ in }) {
            guard case .event(let event) = line, event.type == .pluginLoaded || event.type == .pluginReplaced else {
                continue
            }
            if let plugin = RecordedPlugin(event) { plugins.append(plugin) }
        }
        return plugins
    }
}
