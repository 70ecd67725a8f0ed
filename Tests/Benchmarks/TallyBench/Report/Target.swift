/// What a figure has to reach.
enum Target {
    /// The figure is only told.
    case none
    /// At most this.
    case below(Double)
    /// At least this.
    case above(Double)
    /// In pairs with another figure: the ratio is only told.
    case ratioTo(String)
    /// In pairs with another figure: at most this part of it.
    case partOf(String, below: Double)
    /// In pairs with another figure: at least this part of it.
    case atLeastPartOf(String, Double)

    /// The figure that it is compared with.
    var reference: String? {
        switch self {
        case .none, .below, .above: nil
        case .ratioTo(let name), .partOf(let name, _), .atLeastPartOf(let name, _): name
        }
    }

    /// Whether a value, or a ratio where there is a reference, reaches it.
    func isMet(by value: Double) -> Bool {
        switch self {
        case .none, .ratioTo: true
        case .below(let limit), .partOf(_, let limit): value <= limit
        case .above(let limit), .atLeastPartOf(_, let limit): value >= limit
        }
    }

    /// The target for people.
    var text: String {
        switch self {
        case .none, .ratioTo: "-"
        case .below(let limit): limit == 0 ? "0" : "below \(Figure.text(limit))"
        case .above(let limit): "above \(Figure.text(limit))"
        case .partOf(_, let limit): "ratio below \(Figure.fixed(limit, 2))"
        case .atLeastPartOf(_, let limit): "ratio at least \(Figure.fixed(limit, 2))"
        }
    }
}
