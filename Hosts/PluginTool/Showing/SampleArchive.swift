internal import HostSupport
internal import System

/// The archive that is installed with the program, for who has none at hand.
enum SampleArchive {
    /// Where it is, beside the program and in the tree that the program was built from; the first that is there counts.
    private static let places = ["../share/tally/sample.tally", "../../Hosts/PluginTool/sample.tally", "../../../Hosts/PluginTool/sample.tally"]

    /// Its text.
    static var text: String {
        get throws(HostError) {
            let folder = FileNames.programFolder ?? ""
            for place in places {
                if let bytes = try? TextFile.read(folder + place) { return String(decoding: bytes, as: UTF8.self) }
            }
            throw .unusable(
                "the sample archive \(folder)\(places[0]) is not there: name an archive behind the plugin's file",
                .noInput
            )
        }
    }
}
