/// Where the ads of a break come from.
package enum AdSource: Sendable, Equatable {
    /// A document at an address, with what its server gets to know of.
    case tag(String)
    /// A VAST document that was part of another, with the address of that one.
    case document(XMLElement, base: String)
    /// A creative at an address, with its announced duration.
    case asset(String, durationMs: Int64?)
    /// A list of creatives at an address (HLS, `X-ASSET-LIST`).
    case assetList(String)
}
