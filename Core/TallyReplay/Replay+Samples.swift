internal import Archive
internal import Coordinator
internal import EventModel
internal import PluginABI

// The short way of the lines that most of an archive is made of.
extension Replay {
    /// Replays playhead samples of the last line's run, as long as nothing else comes.
    ///
    /// - Returns: a sample that was read and has to go the way of every line, for something about it is unusual.
    func takeSamples(_ reader: ArchiveReader, _ decoder: ArchiveLineDecoder) -> ArchiveLine? {
        guard restoration == nil, failure == nil, let current else { return nil }
        let control = control
        var left: ArchiveLine?
        var taken: UInt64 = 0
        unsafe current._withUnsafeGuaranteedRef { run in
            guard run.held.isEmpty, run.cut == nil, run.has(decoder.run) else { return }
            let coordinator = run.coordinator
            var time = coordinator.time
            var expected = run.expected
            defer { run.expected = expected }
            while control?.isOpen ?? true, let sample = unsafe reader.nextSample() {
                let next = unsafe sample.pointee.time_us
                // Exact enough: the run is never behind its last event.
                guard decoder.ordinal == expected, next - time <= Limits.longestSilenceMicroseconds else {
                    left = unsafe .event(EventView(sample))
                    return
                }
                time = next
                expected &+= 1
                taken &+= 1
                unsafe coordinator.replay(sample)
            }
        }
        summary.events += taken
        return left
    }
}
