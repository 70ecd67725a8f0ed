/// Where the ads of a break come from.
package enum AdSource: Sendable, Equatable {
    /// A document at an address, with what its server gets to know of.
    case tag(String)
    /// A VAST document that was part of another, with the address of that one.
    case document(XMLElement, base: String)
}
