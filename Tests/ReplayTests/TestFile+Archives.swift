extension TestFile {
    /// The path of one of the hand-written archives.
    static func archive(_ name: String) -> String {
        "\(repository)/Tests/ReplayTests/Archives/\(name).tally"
    }
}
