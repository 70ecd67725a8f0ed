/// When the reporter waits until the disk has what it wrote.
enum SyncPolicy: String, CaseIterable {
    /// Never: the system writes when it likes.
    case never
    /// When a file is finished or closed.
    case finished
    /// After each batch.
    case batch
}
