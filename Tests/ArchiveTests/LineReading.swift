import Archive
import EventModel

/// One line, decoded alone.
enum LineReading {
    /// What the line says, or what is wrong with it.
    static func summary(_ line: String) -> String {
        summary(Array(line.utf8))
    }

    static func summary(_ bytes: [UInt8], _ decoder: ArchiveLineDecoder = ArchiveLineDecoder()) -> String {
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(ArchiveLineProblem) {
                return unsafe try decoder.decode(bytes).summary
            } catch {
                return "refused: \(error)"
            }
        }
    }

    /// Whether the line is taken.
    static func isTaken(_ bytes: [UInt8], _ decoder: ArchiveLineDecoder = ArchiveLineDecoder()) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            (unsafe try? decoder.decode(bytes)) != nil
        }
    }

    /// The event `custom` with these attributes, as JSON text.
    static func event(attributes: String) -> String {
        #"{"run":"r","n":1,"t_us":7,"event":"custom","attributes":{\#(attributes)}}"#
    }

    /// The attributes of the event `custom` with these attributes, as exact text, or what is wrong with the line.
    static func attributes(_ text: String) -> String {
        let summary = summary(event(attributes: text))
        let empty = Self.summary(event(attributes: ""))
        return summary.hasPrefix(empty + "; ") ? String(summary.dropFirst(empty.count + 2)) : summary
    }
}
