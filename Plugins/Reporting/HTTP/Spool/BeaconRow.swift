internal import Database
internal import PluginKit

/// A beacon as a row of the spool.
enum BeaconRow {
    /// Sets a statement's first parameters to a beacon.
    static func bind(_ beacon: StoredBeacon, to statement: Statement) {
        let content = beacon.content
        statement.bind(1, content.identity.run)
        statement.bind(2, content.identity.instance)
        statement.bind(3, Int64(bitPattern: content.identity.ordinal))
        statement.bind(4, Int64(content.session))
        statement.bind(5, content.destination)
        statement.bind(6, content.method)
        statement.bind(7, content.url)
        statement.bind(8, content.headers)
        statement.bind(9, content.body)
        statement.bind(10, content.credential)
        statement.bind(11, content.patches.isEmpty ? "" : PatchText.text(content.patches))
        statement.bind(12, Int64(content.options.rawValue))
        statement.bind(13, content.expires)
        statement.bind(14, beacon.attempts)
        statement.bind(15, beacon.due)
        statement.bind(16, Int64(content.size))
    }

    /// Reads a row; its place is the column behind the others.
    static func beacon(_ row: Statement) -> StoredBeacon {
        var beacon = StoredBeacon(
            BeaconContent(
                identity: StoredBeacon.Identity(
                    run: row.text(0),
                    instance: row.text(1),
                    ordinal: UInt64(bitPattern: row.int(2))
                ),
                session: UInt32(truncatingIfNeeded: row.int(3)),
                destination: row.text(4),
                method: row.text(5),
                url: row.bytes(6),
                headers: row.bytes(7),
                body: row.bytes(8),
                credential: row.text(9),
                patches: PatchText.patches(row.text(10)),
                options: BeaconOptions(rawValue: UInt32(truncatingIfNeeded: row.int(11))),
                expires: row.int(12)
            )
        )
        beacon.attempts = row.int(13)
        beacon.due = row.int(14)
        beacon.place = row.int(16)
        return beacon
    }
}
