internal import Tally
internal import TextEncoding

/// What `--version` says: the core's version, which is that of the programs too.
enum VersionText {
    /// A line for people, or with all parts as one line of JSON.
    static func text(of program: String, json: Bool) -> String {
        let full = TallyVersion.full
        guard json else { return "\(program) \(full.version) (\(full.text), API level \(TallyVersion.apiLevel))\n" }
        let value: JSONValue = [
            "program": .string(program), "version": .string(full.version), "full_version": .string(full.text),
            "platform": .string(full.platform), "major": .int(Int64(full.major)), "minor": .int(Int64(full.minor)),
            "micro": .int(Int64(full.micro)), "patch": .int(Int64(full.patch)), "build": .string(full.build),
            "api_level": .int(Int64(TallyVersion.apiLevel)),
        ]
        return value.canonicalText + "\n"
    }
}
