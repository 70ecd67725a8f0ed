/// One showing of an ad.
struct Ad {
    let information: AdInformation
    let adBreak: AdBreakInformation
    /// Unique among all showings.
    let sessionID: String
    /// Which break of which video.
    let podID: String
    /// Offset of the break in the main content, s.
    let podSecond: Int64

    /// Whether a seek that leads to this place leads back into the same showing.
    func isSamePlace(_ podID: String, _ information: AdInformation) -> Bool {
        self.podID == podID && self.information.position == information.position
    }
}
