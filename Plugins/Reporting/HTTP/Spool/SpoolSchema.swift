/// The tables of a spool.
enum SpoolSchema {
    /// The columns of a beacon, in the order in which ``BeaconRow`` has them.
    static let columns =
        "run, instance, ordinal, session, destination, method, url, headers, body, credential, patches, options, "
        + "expires, attempts, due, size"
    /// The parameters of as many values.
    static let values = "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16"

    private static let definitions = """
        place INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, instance TEXT NOT NULL, ordinal INTEGER NOT NULL,
        session INTEGER NOT NULL, destination TEXT NOT NULL, method TEXT NOT NULL, url BLOB NOT NULL,
        headers BLOB NOT NULL, body BLOB NOT NULL, credential TEXT NOT NULL, patches TEXT NOT NULL,
        options INTEGER NOT NULL, expires INTEGER NOT NULL, attempts INTEGER NOT NULL, due INTEGER NOT NULL,
        size INTEGER NOT NULL
        """

    /// Makes the tables that are missing.
    ///
    /// `taken` has the highest number of each run and instance, `missing` the numbers below it that were lost.
    static let text = """
        CREATE TABLE IF NOT EXISTS beacons (\(definitions));
        CREATE INDEX IF NOT EXISTS beacons_by_destination ON beacons (destination, place);
        CREATE TABLE IF NOT EXISTS dead (\(definitions), reason TEXT NOT NULL, status INTEGER NOT NULL,
            died INTEGER NOT NULL);
        CREATE TABLE IF NOT EXISTS taken (run TEXT NOT NULL, instance TEXT NOT NULL, ordinal INTEGER NOT NULL,
            seen INTEGER NOT NULL, PRIMARY KEY (run, instance)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS missing (run TEXT NOT NULL, instance TEXT NOT NULL, first INTEGER NOT NULL,
            last INTEGER NOT NULL, PRIMARY KEY (run, instance, first)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS counts (destination TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL,
            PRIMARY KEY (destination, name)) WITHOUT ROWID;
        """
}
