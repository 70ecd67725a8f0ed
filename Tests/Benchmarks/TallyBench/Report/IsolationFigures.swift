// Trackers in the player's process and in processes of their own: see ``IsolationRound``.
extension FigureDefinition {
    static let isolation: [FigureDefinition] =
        costs("1000-by-10", "1,000 a second, ten at once") + costs("10000-by-10", "10,000 a second, ten at once")
        + costs("most", "as many as go") + [1, 5].flatMap(wakeUps)
        + ["in-process-1", "isolated-1", "isolated-5"].flatMap(latencies)
        + ["in-process", "isolated"].flatMap(outputs)

    /// Processor time of the player an event.
    private static func costs(_ pace: String, _ title: String) -> [FigureDefinition] {
        let name = "isolation/trivial/\(pace)"
        var figures = [FigureDefinition("\(name)/none", "the player, without trackers, \(title)")]
        for count in [1, 5] {
            let (inside, apart) = ("\(name)/in-process-\(count)", "\(name)/isolated-\(count)")
            figures += [
                FigureDefinition(inside, "trackers in its process: \(count)"),
                FigureDefinition(inside + "/added", "what they add"),
                FigureDefinition(apart, "trackers isolated: \(count)", .ratioTo(inside)),
                FigureDefinition(apart + "/added", "what they add", .below(250)),
                FigureDefinition(apart + "/threads-added", "the same, of its threads for the run alone"),
                FigureDefinition(apart + "/waits", "wake-ups of the player that they add"),
            ]
        }
        return figures
    }

    /// Wake-ups where one event comes after the other.
    private static func wakeUps(_ count: Int) -> [FigureDefinition] {
        let name = "isolation/trivial/1000/isolated-\(count)"
        return [
            FigureDefinition(name + "/waits", "wake-ups that \(count) isolated add, 1,000 a second", .below(0.05)),
            FigureDefinition(name + "/tracker-waits", "wake-ups of their own"),
        ]
    }

    /// What an output costs that goes to a reporter.
    private static func outputs(_ place: String) -> [FigureDefinition] {
        [
            FigureDefinition("isolation/reporter/\(place)/processor", "the player, an output to a reporter \(place)"),
            FigureDefinition("isolation/reporter/\(place)/wall", "the same, as time passes"),
        ]
    }

    /// How long a record takes at four events a second.
    private static func latencies(_ trackers: String) -> [FigureDefinition] {
        let name = "isolation/speaking/4/\(trackers)"
        let limit: Target = trackers.hasPrefix("isolated") ? .below(5000) : .none
        return [
            FigureDefinition(name + "/median", "event to record, 4 a second, \(trackers)"),
            FigureDefinition(name + "/largest", "the longest of them", limit),
            FigureDefinition(name + "/waits", "wake-ups of the player that they add"),
            FigureDefinition(name + "/tracker-waits", "wake-ups of their own"),
        ]
    }
}
