internal import TextEncoding

/// The list of assets of an interstitial (RFC 8216bis, appendix D, `X-ASSET-LIST`).
enum AssetList {
    /// An entry of the list.
    struct Asset: Equatable {
        let uri: String
        let durationMs: Int64?
    }

    /// Reads the text of a list; entries without an address are left out.
    static func assets(_ bytes: [UInt8]) throws(AdFailure) -> [Asset] {
        let value: JSONValue
        do {
            value = try JSONParser().parse(String(decoding: bytes, as: UTF8.self))
        } catch {
            throw AdFailure(.malformed, "the list of assets is no JSON")
        }
        guard let entries = value["ASSETS"]?.array else {
            throw AdFailure(.invalid, "the list of assets has no ASSETS")
        }
        return entries.compactMap { entry in
            guard let uri = entry["URI"]?.string, !uri.isEmpty else { return nil }
            let seconds = entry["DURATION"]?.double ?? 0
            return Asset(uri: uri, durationMs: seconds > 0 && seconds < 86_400 ? Int64(seconds * 1000) : nil)
        }
    }
}
