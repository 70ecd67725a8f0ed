internal import PluginKit

/// Names of parts of a video: the digest of its id, and a position.
package enum PartIdentifier {
    /// `<MD5 of the video's id>_<position>`, for a pod of ads and for a chapter.
    package static func text(videoDigest: String, position: Int64) -> String {
        "\(videoDigest)_\(position)"
    }

    /// The digest of a video's id.
    package static func digest(ofVideo id: String) -> String {
        MD5.hex(of: id)
    }
}
