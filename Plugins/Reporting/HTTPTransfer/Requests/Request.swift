internal import CZlib
internal import PluginKit
internal import Spooling

/// A beacon as it goes over the wire at one attempt: with its patches, its secret and its compression.
struct Request: Equatable {
    /// What libcurl has to be told apart for.
    enum Shape: Equatable {
        /// With a body, which may be empty.
        case body
        /// Without one, and without one in the answer.
        case head
        /// Without one.
        case plain
    }

    let method: String
    let url: [UInt8]
    let headers: [String]
    let body: [UInt8]

    /// What kind of request it is.
    var shape: Shape {
        if !body.isEmpty || method == "POST" || method == "PUT" { return .body }
        return method == "HEAD" ? .head : .plain
    }

    /// What every request says of its sender.
    static let agent = "tally-http/1.0"
    /// Smaller bodies do not become smaller by compression.
    private static let smallestCompressed = 256

    /// Prepares an attempt; nil when the address or a header holds what cannot be sent.
    init?(
        _ beacon: BeaconContent,
        attempt: Int64,
        secret: TransferOptions.Secret?,
        idempotencyHeader: String,
        now: Int64
    ) {
        var url = beacon.url
        var body = beacon.body
        for patch in beacon.patches {
            let digits = Self.digits(patch.patch, attempt: attempt, now: now)
            switch patch.part {
            case .url: Self.write(digits, at: patch.offset, into: &url)
            case .body: Self.write(digits, at: patch.offset, into: &body)
            }
        }
        var headers: [String] = []
        for line in beacon.headers.split(separator: UInt8(ascii: "\n")) {
            guard line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
            headers.append(String(decoding: line, as: UTF8.self))
        }
        if beacon.options.contains(.gzipWanted), body.count >= Self.smallestCompressed, let less = Gzip.compress(body) {
            body = less
            headers.append("Content-Encoding: gzip")
        }
        if !idempotencyHeader.isEmpty { headers.append("\(idempotencyHeader): \(beacon.identity.text)") }
        switch secret?.carrier {
        case .header(let name): headers.append("\(name): \(secret?.text ?? "")")
        case .query(let name): Self.add(name, secret?.text ?? "", to: &url)
        case nil: break
        }
        guard Self.isOfHTTP(url), url.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            beacon.method.utf8.allSatisfy({ $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") })
        else { return nil }
        method = beacon.method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// Whether an address has one of HTTP's schemes, or none; a colon before a port has no slash behind it.
    private static func isOfHTTP(_ url: [UInt8]) -> Bool {
        guard let end = url.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            url[end...].starts(with: ":/".utf8)
        else { return true }
        // Letters differ by one bit from the large ones.
        let scheme = url[..<end].lazy.map { $0 | 0x20 }
        return scheme.elementsEqual("http".utf8) || scheme.elementsEqual("https".utf8)
    }

    private static func digits(_ patch: BeaconPatch, attempt: Int64, now: Int64) -> [UInt8] {
        let number =
            switch patch {
            case .sendEpochMilliseconds: now
            case .sendEpochSeconds: now / 1000
            case .attempt: attempt
            }
        let text = Array("\(number)".utf8)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: max(0, patch.width - text.count))
        return (zeros + text).suffix(patch.width)
    }

    private static func write(_ digits: [UInt8], at offset: Int, into bytes: inout [UInt8]) {
        guard offset >= 0, offset <= bytes.count - digits.count else { return }
        bytes.replaceSubrange(offset..<offset + digits.count, with: digits)
    }

    /// Adds a parameter to an address, before its fragment.
    private static func add(_ name: String, _ value: String, to url: inout [UInt8]) {
        let end = url.firstIndex(of: UInt8(ascii: "#")) ?? url.count
        let mark: Character = url[..<end].contains(UInt8(ascii: "?")) ? "&" : "?"
        let buffer = ByteBuffer()
        buffer.append(String(mark))
        PercentEncoding.append(name, to: buffer)
        buffer.append("=")
        PercentEncoding.append(value, to: buffer)
        url.insert(contentsOf: buffer.bytes, at: end)
    }
}

/// Compression of bodies.
enum Gzip {
    /// The bytes in the form of gzip; nil when there is no memory for it.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe tally_gzip_begin(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
        let status = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return unsafe Array(output.prefix(Int(stream.total_out)))
    }
}
