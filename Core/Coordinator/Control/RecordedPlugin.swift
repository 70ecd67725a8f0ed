/// A tracker as an archive names it: in the header, or where it joins or takes another's place.
package struct RecordedPlugin: Sendable, Equatable {
    /// Its configured name.
    package let instance: String
    /// Id of its plugin.
    package let id: String
    /// Version of its plugin.
    package let version: String
    /// SHA-256 of its file, lower-case hex; empty for one that was linked in.
    package let sha256: String

    package init(instance: String, id: String, version: String, sha256: String) {
        self.instance = instance
        self.id = id
        self.version = version
        self.sha256 = sha256
    }
}
