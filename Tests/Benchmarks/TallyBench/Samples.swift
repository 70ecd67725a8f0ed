/// Measured values and what is said of them.
struct Samples {
    private let sorted: [Double]

    init(_ values: [Double]) {
        sorted = values.sorted()
    }

    var least: Double { sorted.first ?? 0 }
    var greatest: Double { sorted.last ?? 0 }

    /// The middle value, or the mean of the two in the middle.
    var median: Double {
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    var mean: Double {
        sorted.isEmpty ? 0 : sorted.reduce(0, +) / Double(sorted.count)
    }

    /// From the least to the greatest, in per cent of the median.
    var spread: Double {
        median == 0 ? (greatest == 0 ? 0 : .infinity) : (greatest - least) / median.magnitude * 100
    }

    /// The least value that the given share of all values does not exceed.
    func percentile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let place = (share * Double(sorted.count)).rounded(.up)
        return sorted[min(sorted.count - 1, max(0, Int(place) - 1))]
    }
}
