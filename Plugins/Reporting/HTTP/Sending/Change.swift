/// A change of the spool that waits for the next commit.
enum Change {
    /// A beacon was taken.
    case take(StoredBeacon)
    /// A beacon is settled.
    case remove(StoredBeacon)
    /// A beacon is given up.
    case bury(StoredBeacon, DropReason, status: Int)
    /// A beacon waits for another try.
    case postpone(StoredBeacon)
}
