/// One showing of an ad.
struct Ad {
    var information: AdInformation
    var adBreak: AdBreakInformation
    /// Unique among all showings.
    var sessionID: String
    /// Which break of which video.
    var podID: String
    /// Offset of the break in the main content, s.
    var podSecond: Int64

    /// Whether a seek that leads to this place leads back into the same showing.
    func isSamePlace(_ podID: String, _ information: AdInformation) -> Bool {
        self.podID == podID && self.information.position == information.position
    }
}
