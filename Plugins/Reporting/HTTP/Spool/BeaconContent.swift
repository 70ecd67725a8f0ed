internal import PluginKit

/// Everything that is needed to send a beacon, after a restart as well.
///
/// It never changes, so that many places can share it without copies.
final class BeaconContent: Sendable {
    let identity: StoredBeacon.Identity
    let session: UInt32
    let destination: String
    let method: String
    let url: [UInt8]
    /// Lines `Name: value`, each with a line feed behind it.
    let headers: [UInt8]
    let body: [UInt8]
    /// The name of the secret to add, empty when there is none.
    let credential: String
    let patches: [BeaconView.Patch]
    let options: BeaconOptions
    /// When it is too old to be sent, ms since 1970.
    let expires: Int64

    /// Bytes that it takes in the spool, about.
    var size: Int { url.count + headers.count + body.count + 200 }

    init(
        identity: StoredBeacon.Identity,
        session: UInt32,
        destination: String,
        method: String,
        url: [UInt8],
        headers: [UInt8],
        body: [UInt8],
        credential: String,
        patches: [BeaconView.Patch],
        options: BeaconOptions,
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
        self.patches = patches
        self.options = options
        self.expires = expires
    }

    /// Copies what a tracker said; `age` is the reporter's own limit, ms.
    convenience init(_ beacon: BeaconView, _ origin: OriginView, now: Int64, age: Int64) {
        var headers: [UInt8] = []
        for index in 0..<beacon.headerCount {
            let header = beacon.header(index)
            unsafe headers.append(contentsOf: header.name.bytes)
            headers.append(contentsOf: ": ".utf8)
            unsafe headers.append(contentsOf: header.value.bytes)
            headers.append(UInt8(ascii: "\n"))
        }
        let own = beacon.maximumAgeSeconds > 0 ? min(beacon.maximumAgeSeconds, 1 << 32) * 1000 : age
        unsafe self.init(
            identity: StoredBeacon.Identity(
                run: origin.playerRunID.string,
                instance: origin.instance.string,
                ordinal: origin.ordinal
            ),
            session: origin.session,
            destination: beacon.destination.string,
            method: beacon.method.string,
            url: Array(beacon.url.bytes),
            headers: headers,
            body: Array(beacon.body.bytes),
            credential: beacon.credential.string,
            patches: beacon.patches,
            options: beacon.options,
            expires: now + min(own, age)
        )
    }
}
