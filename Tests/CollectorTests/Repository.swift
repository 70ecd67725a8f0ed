/// The checkout that these tests were compiled from.
enum Repository {
    private static let top = String(#filePath.dropLast("/Tests/CollectorTests/Repository.swift".count))

    /// A file's path.
    static func path(_ name: String) -> String { "\(top)/\(name)" }
}
