import TestFiles

/// A file's name in a folder of its own; both are removed with it.
final class TemporaryFile {
    private let own = TemporaryFolder()

    var folder: String { own.path }
    var path: String { own.file("out.jsonl") }

    /// What it holds.
    var text: String { (try? TestFile.text(path)) ?? "(no file)" }

    var lines: [String] { text.split(separator: "\n").map(String.init) }
}
