internal import PluginABI
public import TextEncoding

/// Builds one beacon after another in the same memory: after the first ones it allocates nothing.
///
/// Begin it, write the address and the body into ``url`` and ``body``, add headers and record numbers, and hand it to
/// ``TrackerHost/emit(_:)-(BeaconBuilder)``. Secrets never go into a beacon: name the credential that a reporter adds.
@safe public final class BeaconBuilder {
    /// The address.
    public let url = ByteBuffer(capacity: 256)
    /// The body, for example by a `JSONWriter`.
    public let body = ByteBuffer(capacity: 4096)
    /// How it wants to be treated.
    public var options: BeaconOptions = []
    /// How old it may become before it is dropped, s; 0 leaves that to the reporter.
    public var maximumAgeSeconds: Int64 = 0

    private struct Piece {
        var start = 0
        var count = 0
    }

    /// Destination, method, credential and headers one behind another.
    private let texts = ByteBuffer(capacity: 512)
    private var destination = Piece()
    private var method = Piece()
    private var credential = Piece()
    private var headerPieces: [(name: Piece, value: Piece)] = []
    private var headers: [tally_header] = unsafe []
    private var patches: [tally_patch] = []
    private var records: [UInt64] = []

    /// Makes an empty builder.
    public init() {}

    /// Begins a beacon; what was there before is gone.
    ///
    /// - Parameters:
    ///   - destination: a lasting key for order, back-off and credentials, such as `newrelic.event-api`.
    ///   - method: the HTTP method.
    public func begin(destination: String, method: String = "POST") {
        url.removeAll()
        body.removeAll()
        texts.removeAll()
        headerPieces.removeAll(keepingCapacity: true)
        patches.removeAll(keepingCapacity: true)
        records.removeAll(keepingCapacity: true)
        options = []
        maximumAgeSeconds = 0
        credential = Piece()
        self.destination = piece(destination)
        self.method = piece(method)
    }

    /// Adds a header; headers keep their order, and a name may be given twice.
    public func addHeader(_ name: String, _ value: String) {
        headerPieces.append((piece(name), piece(value)))
    }

    /// Names the secret that the reporter adds.
    public func setCredential(_ name: String) {
        credential = piece(name)
    }

    /// Says that the beacon carries a record, by the number that emitting it gave.
    public func carry(_ ordinal: UInt64) {
        guard ordinal != 0 else { return }
        records.append(ordinal)
    }

    /// Appends zeros to the address or the body that the reporter writes over when it sends.
    public func appendPatch(_ patch: BeaconPatch, to part: BeaconPart) {
        let buffer = part == .url ? url : body
        patches.append(
            tally_patch(
                part: part.rawValue,
                kind: patch.kind,
                off: UInt64(buffer.count),
                width: UInt64(patch.width)
            )
        )
        buffer.append(repeating: UInt8(ascii: "0"), count: patch.width)
    }

    /// Writes a patch as a JSON number; the writer has to write into ``body``.
    public func appendPatch(_ patch: BeaconPatch, to writer: inout JSONWriter) {
        precondition(writer.buffer === body, "a patch can be written into the beacon's own body alone")
        // An empty value puts the comma before it and makes the next one put its own.
        writer.raw("")
        appendPatch(patch, to: .body)
    }

    private func piece(_ text: String) -> Piece {
        let start = texts.count
        texts.append(text)
        return Piece(start: start, count: texts.count - start)
    }

    // MARK: - Handing over

    /// The destination, for messages.
    var destinationText: String {
        unsafe texts.withBytes {
            unsafe String(decoding: $0[destination.start..<destination.start + destination.count], as: UTF8.self)
        }
    }

    /// Lends the beacon as the host takes it.
    func withRaw<Result>(_ use: (tally_beacon) -> Result) -> Result {
        unsafe texts.withBytes { texts in
            func text(_ piece: Piece) -> tally_str {
                unsafe tally_str(UnsafeRawBufferPointer(rebasing: texts[piece.start..<piece.start + piece.count]))
            }
            unsafe headers.removeAll(keepingCapacity: true)
            for header in headerPieces {
                unsafe headers.append(tally_header(name: text(header.name), value: text(header.value)))
            }
            return unsafe url.withBytes { url in
                unsafe body.withBytes { body in
                    unsafe headers.withUnsafeBufferPointer { headers in
                        unsafe patches.withUnsafeBufferPointer { patches in
                            unsafe records.withUnsafeBufferPointer { records in
                                unsafe use(
                                    tally_beacon(
                                        struct_size: UInt32(MemoryLayout<tally_beacon>.size),
                                        flags: options.rawValue,
                                        destination: text(destination),
                                        method: text(method),
                                        url: tally_str(url),
                                        body: tally_str(body),
                                        headers: headers.baseAddress,
                                        header_count: UInt64(headers.count),
                                        credential: text(credential),
                                        patches: patches.baseAddress,
                                        patch_count: UInt64(patches.count),
                                        records: records.baseAddress,
                                        record_count: UInt64(records.count),
                                        max_age_s: maximumAgeSeconds
                                    )
                                )
                            }
                        }
                    }
                }
            }
        }
    }
}
