internal import Chapters
internal import HostSupport

/// Reads the file that the command line names.
enum ChapterFile {
    /// Why it cannot be used.
    enum Failure: Error {
        case unreadable(path: String, reason: String)
        case wrong(path: String, reason: String)

        var message: String {
            switch self {
            case .unreadable(let path, let reason): "the chapters '\(path)' cannot be read: \(reason)"
            case .wrong(let path, let reason): "the chapters '\(path)' cannot be used: \(reason)"
            }
        }

        var exitCode: ExitCode {
            switch self {
            case .unreadable: .noInput
            case .wrong: .badConfiguration
            }
        }
    }

    static func read(_ path: String) throws(Failure) -> ChapterList {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, limit: 1_048_576)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable(path: path, reason: "it is not text in UTF-8")
        }
        do throws(WebVTTChapters.Failure) {
            return try WebVTTChapters.chapters(in: text)
        } catch {
            throw .wrong(path: path, reason: error.reason)
        }
    }
}
