internal import EventModel
internal import TextEncoding

/// Which run reports belong to.
package struct RunKey: Hashable, Sendable {
    /// The tenant's name.
    package let tenant: String
    /// The form of its reports.
    package let form: ReportForm
    /// The run's name as the player gives it, 1 to 64 bytes.
    package let name: String

    package init(tenant: String, form: ReportForm, name: String) {
        self.tenant = tenant
        self.form = form
        self.name = name
    }

    /// The run's id in archives and outputs.
    ///
    /// Tally's own form names a run once; a session of CMCD may go on when its run was over, and is another run then.
    package func runID(begunAt begun: Int64) -> String {
        guard form != .native else { return name }
        let suffix = String(begun / 1000, radix: 36)
        let letters = name.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar))
                ? Character(scalar) : "_"
        }
        guard letters.count > 48 || String(letters) != name else { return "\(name)-\(suffix)" }
        // Others may come to the same letters in the same moment.
        return "\(String(letters.prefix(35)))-\(SHA256.hex(of: name).prefix(12))-\(suffix)"
    }
}

/// The form in which a player reports.
package enum ReportForm: UInt8, Sendable, CaseIterable {
    /// Tally's own: track calls, numbered.
    case native = 1
    /// CMCD version 2, event mode.
    case cmcd = 2
    /// Open Analytics.
    case openAnalytics = 3
    /// Requests of a CDN's log with CMCD.
    case requests = 4

    /// The word for it in files and answers.
    package var word: String {
        switch self {
        case .native: "tally"
        case .cmcd: "cmcd"
        case .openAnalytics: "open-analytics"
        case .requests: "requests"
        }
    }

    package init?(word: String) {
        guard let form = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = form
    }
}

/// What came at once for one run: an entry of the journal.
package struct ReceivedReports: Sendable, Equatable {
    /// The run.
    package var key: RunKey
    /// When it came, us since 1970.
    package var received: Int64
    /// Whether the viewer's browser said that they want no tracking (`Sec-GPC: 1`).
    package var optsOut = false
    /// Tally's own form: when the player sent it, us since its run's start.
    package var sent: Int64 = 0
    /// Tally's own form: the number of the last line, so that all up to it need not be sent again; 0 in other forms.
    package var last: UInt64 = 0
    /// Lines, each with its break.
    package var text: [UInt8]

    package init(_ key: RunKey, received: Int64, text: [UInt8]) {
        self.key = key
        self.received = received
        self.text = text
    }

    /// How many bytes it counts as while it waits: also one without lines takes memory.
    package var cost: Int { text.count + 256 }

    // MARK: - As bytes

    private static let version: UInt8 = 1

    /// The entry as the journal keeps it.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = [Self.version, key.form.rawValue, optsOut ? 1 : 0]
        bytes.reserveCapacity(text.count + 128)
        Self.append(UInt64(bitPattern: received), to: &bytes)
        Self.append(UInt64(bitPattern: sent), to: &bytes)
        Self.append(last, to: &bytes)
        for name in [key.tenant, key.name] {
            bytes.append(UInt8(truncatingIfNeeded: name.utf8.count))
            bytes.append(contentsOf: name.utf8.prefix(255))
        }
        bytes.append(contentsOf: text)
        return bytes
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(shift)))) }
    }

    /// Reads an entry of the journal; nil when it is of a form that this program does not know.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        var place = 3
        func number() -> UInt64? {
            guard bytes.count >= place + 8 else { return nil }
            defer { place += 8 }
            return unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        func name() -> String? {
            guard place < bytes.count else { return nil }
            let count = unsafe Int(bytes[place])
            guard place + 1 + count <= bytes.count else { return nil }
            defer { place += 1 + count }
            return unsafe String(decoding: bytes[(place + 1)..<(place + 1 + count)], as: UTF8.self)
        }
        guard bytes.count > 3, unsafe bytes[0] == Self.version, let form = unsafe ReportForm(rawValue: bytes[1]),
            let received = number(), let sent = number(), let last = number(), let tenant = name(), let run = name()
        else { return nil }
        key = RunKey(tenant: tenant, form: form, name: run)
        self.received = Int64(bitPattern: received)
        optsOut = unsafe bytes[2] & 1 != 0
        self.sent = Int64(bitPattern: sent)
        self.last = last
        text = unsafe Array(bytes[place...])
    }
}
