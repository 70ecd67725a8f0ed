package import PluginKit

/// The metadata of one asset, checked: every value is text, and what has to be there is there.
package struct AssetMetadata: Equatable, Sendable {
    /// Kinds of assets, the values of `type`.
    package enum Kind: String, Sendable, CaseIterable {
        /// Main content.
        case content
        /// An ad before the content.
        case preroll
        /// An ad within the content.
        case midroll
        /// An ad after the content.
        case postroll
        /// An ad of which the place is not known.
        case ad
        /// A page or screen.
        case staticContent = "static"

        /// Whether it is one of the four kinds of ads.
        package var isAd: Bool { self != .content && self != .staticContent }
    }

    /// Where an asset is shown.
    package enum Place: Sendable {
        /// As the main content.
        case content
        /// As an ad.
        case ad
    }

    /// One key with its value.
    package struct Member: Equatable, Sendable {
        /// The key.
        package let key: String
        /// The value.
        package let value: String
    }

    /// The kind of asset.
    package let kind: Kind
    /// All keys in the order in which they were given.
    package let members: [Member]

    /// Checks the argument of a `loadMetadata` call, JSON text or an object, and throws the first thing that is wrong.
    ///
    /// In a stream that goes on round the clock, the length has to say so.
    package init(_ argument: JSONValue, for place: Place? = nil, isLinear: Bool = false) throws(MetadataProblem) {
        let object = try MetadataArgument.object(argument)
        members = try object.map { (member) throws(MetadataProblem) in
            guard let text = member.value.string else {
                throw MetadataProblem(member.key, "\"\(member.key)\" has \(member.value.kind); every value is a string")
            }
            return Member(key: member.key, value: text)
        }
        kind = try MetadataRules.kind(of: members, for: place)
        try MetadataRules.check(self, isLinear: isLinear)
    }

    /// The value of a key; keys are case-sensitive.
    package subscript(key: String) -> String? { members.first { $0.key == key }?.value }

    /// The asset's id; empty for static content without one.
    package var assetID: String { self["assetid"] ?? "" }

    /// The keys whose values differ from another asset's, in this one's order, then those that this one lacks.
    package func differences(from other: AssetMetadata) -> [String] {
        let own = members.filter { other[$0.key] != $0.value }.map(\.key)
        return own + other.members.map(\.key).filter { self[$0] == nil }
    }
}
