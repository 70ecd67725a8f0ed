internal import PluginKit

/// A beacon that was taken and is not settled yet: everything that is needed to send it, after a restart as well.
struct StoredBeacon: Equatable, Sendable {
    /// What names a beacon for ever: the same live, after a crash and in a replay.
    struct Identity: Hashable, Sendable {
        /// The player run.
        let run: String
        /// The configured name of the tracker.
        let instance: String
        /// The number of the beacon in its run and instance.
        let ordinal: UInt64

        /// `run/instance/ordinal`, as it goes into an idempotency header.
        var text: String { "\(run)/\(instance)/\(ordinal)" }
    }

    let identity: Identity
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
    /// Its place in the spool; 0 before it has one.
    var place: Int64 = 0
    /// How often it was tried.
    var attempts: Int64 = 0
    /// When it may be tried next, ms since 1970.
    var due: Int64 = 0

    /// Bytes that it takes in the spool, about.
    var size: Int { url.count + headers.count + body.count + 200 }
}

extension StoredBeacon {
    /// Copies what a tracker said; `age` is the reporter's own limit, ms.
    init(_ beacon: BeaconView, _ origin: OriginView, now: Int64, age: Int64) {
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
            identity: Identity(
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
