internal import Database
package import PluginKit

/// Everything that is needed to send a beacon, after a restart as well.
///
/// It never changes, so that many places can share it without copies.
package final class BeaconContent: Sendable {
    package let identity: StoredBeacon.Identity
    package let session: UInt32
    package let destination: String
    package let method: String
    package let url: [UInt8]
    /// Lines `Name: value`, each with a line feed behind it.
    package let headers: [UInt8]
    package let body: [UInt8]
    /// The name of the secret to add, empty when there is none.
    package let credential: String
    package let patches: [BeaconView.Patch]
    package let options: BeaconOptions
    /// When it is too old to be sent, by the spool's clock.
    package let expires: Int64

    /// Bytes that it takes in the spool, about.
    var size: Int { url.count + headers.count + body.count + 200 }

    /// Reads a row of ``SpoolSchema/columns``.
    init(row: Statement) {
        identity = StoredBeacon.Identity(
            run: row.text(0),
            instance: row.text(1),
            ordinal: UInt64(bitPattern: row.int(2))
        )
        session = UInt32(truncatingIfNeeded: row.int(3))
        destination = row.text(4)
        method = row.text(5)
        url = row.bytes(6)
        headers = row.bytes(7)
        body = row.bytes(8)
        credential = row.text(9)
        patches = PatchText.patches(row.text(10))
        options = BeaconOptions(rawValue: UInt32(truncatingIfNeeded: row.int(11)))
        expires = row.int(12)
    }

    /// Puts together what is no beacon of a tracker's, but kept and brought as one.
    package init(
        _ identity: StoredBeacon.Identity,
        session: UInt32,
        destination: String,
        method: String,
        url: [UInt8],
        headers: [UInt8],
        body: [UInt8],
        credential: String = "",
        options: BeaconOptions = [],
        expires: Int64
    ) {
        self.identity = identity
        self.session = session
        self.destination = destination
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.credential = credential
        patches = []
        self.options = options
        self.expires = expires
    }

    /// Copies what a tracker said; `age` is the reporter's own limit, ms.
    package init(_ beacon: BeaconView, _ origin: OriginView, now: Int64, age: Int64) {
        var headers: [UInt8] = []
        for index in 0..<beacon.headerCount {
            let header = beacon.header(index)
            unsafe headers.append(contentsOf: header.name.bytes)
            headers.append(contentsOf: ": ".utf8)
            unsafe headers.append(contentsOf: header.value.bytes)
            headers.append(UInt8(ascii: "\n"))
        }
        let own = beacon.maximumAgeSeconds > 0 ? min(beacon.maximumAgeSeconds, 1 << 32) * 1000 : age
        identity = StoredBeacon.Identity(
            run: origin.playerRunID.string,
            instance: origin.instance.string,
            ordinal: origin.ordinal
        )
        session = origin.session
        destination = beacon.destination.string
        method = beacon.method.string
        url = unsafe Array(beacon.url.bytes)
        self.headers = headers
        body = unsafe Array(beacon.body.bytes)
        credential = beacon.credential.string
        patches = beacon.patches
        options = beacon.options
        expires = now + min(own, age)
    }
}

/// A beacon's patches as text, for the spool: `part,kind,width,offset` with a semicolon behind each.
enum PatchText {
    static func text(_ patches: [BeaconView.Patch]) -> String {
        patches.map { patch in
            "\(patch.part.rawValue),\(number(of: patch.patch)),\(patch.patch.width),\(patch.offset);"
        }.joined()
    }

    /// What cannot be read is left out: the beacon then goes with the digits that its tracker put there.
    static func patches(_ text: String) -> [BeaconView.Patch] {
        text.split(separator: ";").compactMap { entry in
            let numbers = entry.split(separator: ",").compactMap { Int($0) }
            guard numbers.count == 4, let part = BeaconPart(rawValue: UInt32(truncatingIfNeeded: numbers[0])),
                let patch = patch(numbers[1], width: numbers[2])
            else { return nil }
            return BeaconView.Patch(part: part, patch: patch, offset: numbers[3])
        }
    }

    private static func number(of patch: BeaconPatch) -> Int {
        (1...2).first { self.patch($0, width: patch.width) == patch } ?? 3
    }

    private static func patch(_ number: Int, width: Int) -> BeaconPatch? {
        switch number {
        case 1: .sendEpochMilliseconds
        case 2: .sendEpochSeconds
        // What a damaged row says is not to decide how much memory is asked for.
        case 3: (1...mostDigits).contains(width) ? .attempt(digits: width) : nil
        default: nil
        }
    }

    /// More digits than any number of a try has.
    private static let mostDigits = 100
}
