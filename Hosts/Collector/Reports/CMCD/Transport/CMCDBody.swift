/// The body of a request with events: records, one a line.
package enum CMCDBody {
    /// Why no record can be taken from a body.
    package enum Refusal: String, Error, CaseIterable, Sendable {
        /// It has more than ``CMCDBody/longest`` bytes.
        case tooLong = "too_long"
        /// It is no UTF-8.
        case notUTF8 = "not_utf8"
        /// It has no record.
        case empty
    }

    /// How many bytes a body may have.
    package static var longest: Int { 1024 * 1024 }

    /// The records of a body, each by itself: a bad one does its neighbours no harm.
    package static func records(in body: [UInt8]) throws(Refusal) -> [String] {
        guard body.count <= longest else { throw .tooLong }
        guard let text = String(validating: body, as: UTF8.self) else { throw .notUTF8 }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)
        let records = lines.compactMap { record(in: $0) }
        guard !records.isEmpty else { throw .empty }
        return records
    }

    /// Whether a request's media type says that its body has events of CMCD.
    package static func isNamed(by mediaType: String) -> Bool {
        let name = mediaType.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return name == "application/cmcd" || name == "text/cmcd"
    }

    private static func record(in line: Substring.UTF8View) -> String? {
        var line = line
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        while line.first == UInt8(ascii: " ") { line.removeFirst() }
        while line.last == UInt8(ascii: " ") { line.removeLast() }
        return line.isEmpty ? nil : String(Substring(line))
    }
}
