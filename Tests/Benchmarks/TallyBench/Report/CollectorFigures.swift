// Viewers that report to a collector: see ``CollectorRound``.
extension FigureDefinition {
    static let collectors: [FigureDefinition] =
        [5_000, 10_000, 20_000].flatMap { load("collector/\($0)", "\($0) viewers") }
        + load("collector/none/50000", "50,000 viewers, no tracker")
        + load("collector/5000/slow-10000", "5,000 viewers beside 10,000 slow clients")
        + [
            FigureDefinition("nginx/20000/events-a-core", "nginx, which logs the requests of 20,000, a core"),
            FigureDefinition(
                "collector/20000/events-a-core",
                "collector, 20,000 viewers, a core",
                .ratioTo("nginx/20000/events-a-core")
            ),
        ]

    private static func load(_ name: String, _ title: String) -> [FigureDefinition] {
        [
            FigureDefinition("\(name)/within-250ms", "\(title): batches safe within 250 ms", .above(99)),
            FigureDefinition("\(name)/p99", "99 % of batches safe within"),
            FigureDefinition("\(name)/lost", "lines lost", .below(0)),
            FigureDefinition("\(name)/events", "events taken"),
            FigureDefinition("\(name)/processor", "the collector's processor"),
            FigureDefinition("\(name)/memory", "peak memory", .below(3_145_728)),
            FigureDefinition("\(name)/memory-a-viewer", "memory a viewer"),
        ]
    }
}
