/// A part of a tracker's state that can be saved and made again.
public protocol StatePart {
    /// What it consists of.
    var saved: SavedState { get }

    /// Makes what was saved; throws when something is missing or of another kind.
    init(saved: SavedState) throws(TrackerFault)
}

extension SavedState: StatePart {
    /// Itself: a part can be put together by hand.
    public var saved: SavedState { self }

    /// Takes it as it is.
    public init(saved: SavedState) { self = saved }
}
