/// Where beacons go.
package enum CollectorAddress {
    /// The vendor's own domain.
    package static let standardDomain = "litix.io"

    /// The address for an environment key: a host of its own for a key of small letters and digits alone.
    ///
    /// A collection domain of the customer's takes the place of all that.
    package static func url(environmentKey: String, domain: String?) -> String {
        if let domain { return "https://\(domain)" }
        let isPlain = environmentKey.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return isPlain ? "https://\(environmentKey).\(standardDomain)" : "https://img.\(standardDomain)"
    }
}
