internal import Database
internal import PluginKit

/// Puts beacons into a table of the spool, one after the other.
///
/// SQLite copies each text that it is handed: texts that are as in the beacon before are not handed to it again, and of
/// what is large it reads the beacon's own memory.
final class BeaconInsertion {
    private let statement: Statement
    private var last: BeaconContent?

    /// Takes a statement whose first parameters are ``SpoolSchema/values``.
    init(_ statement: Statement) { self.statement = statement }

    /// Inserts a beacon; `more` sets the parameters behind its own.
    func run(_ beacon: StoredBeacon, _ more: (Statement) -> Void = { _ in }) throws(DatabaseError) {
        let content = beacon.content
        bind(1, content.identity.run, last?.identity.run)
        bind(2, content.identity.instance, last?.identity.instance)
        statement.bind(3, Int64(bitPattern: content.identity.ordinal))
        statement.bind(4, Int64(content.session))
        bind(5, content.destination, last?.destination)
        bind(6, content.method, last?.method)
        bind(10, content.credential, last?.credential)
        if last?.patches.isEmpty != true || !content.patches.isEmpty {
            statement.bind(11, PatchText.text(content.patches))
        }
        statement.bind(12, Int64(content.options.rawValue))
        statement.bind(13, content.expires)
        statement.bind(14, beacon.attempts)
        statement.bind(15, beacon.due)
        statement.bind(16, Int64(beacon.size))
        more(statement)
        last = content
        let result: Result<Void, DatabaseError> = unsafe content.url.withUnsafeBytes { url in
            unsafe content.headers.withUnsafeBytes { headers in
                unsafe content.body.withUnsafeBytes { body in
                    unsafe statement.lend(7, url)
                    unsafe statement.lend(8, headers)
                    unsafe statement.lend(9, body)
                    return Result { () throws(DatabaseError) in try statement.run() }
                }
            }
        }
        try result.get()
    }

    private func bind(_ place: Int32, _ text: String, _ before: String?) {
        if text != before { statement.bind(place, text) }
    }
}
