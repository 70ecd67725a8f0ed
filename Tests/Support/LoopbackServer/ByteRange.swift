/// The part of a resource that a request asks for.
enum ByteRange: Equatable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    /// Reads a Range header; one that is not understood, or lists several ranges, stands for the whole.
    init(header: String?, size: Int) {
        guard let header, header.hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let fields = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 2, fields.allSatisfy({ $0.allSatisfy(\.isWholeNumber) }) else {
            self = .whole
            return
        }
        switch (Int(fields[0]), Int(fields[1])) {
        case (let first?, let last?) where last < first:
            self = .whole
        case (let first?, let last):
            self = first < size ? .part(first..<min(last.map { $0 + 1 } ?? size, size)) : .unsatisfiable
        case (nil, let count?) where fields[0].isEmpty:
            self = count > 0 && size > 0 ? .part(max(size - count, 0)..<size) : .unsatisfiable
        default:
            self = .whole
        }
    }
}
