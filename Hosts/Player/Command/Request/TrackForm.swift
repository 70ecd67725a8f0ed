internal import HostSupport

/// What may stand for a sound or for subtitles.
enum TrackForm {
    static let sound = form("LANG|N", .sound)
    static let subtitles = form("LANG|N|off", .subtitles)

    private static func form(_ name: String, _ track: TrackName) -> ValueForm<String> {
        ValueForm<String>(name) { text throws(UnfitValue) in
            guard track.fits(text) else { throw UnfitValue(expected: track.expected) }
            return text
        }
    }
}
