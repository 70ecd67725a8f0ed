/// What the player's delegate said of a thing.
enum Reading<Information> {
    /// Nothing is known: the guides' nil.
    case nothing
    /// All that is mandatory is there.
    case known(Information)
    /// Something mandatory is missing or cannot be used.
    case invalid(InvalidInformation)
}
