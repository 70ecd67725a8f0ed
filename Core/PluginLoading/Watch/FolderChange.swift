/// What has happened in a watched folder.
package enum FolderChange: Sendable, Equatable {
    /// A plugin file is complete: written and closed, renamed into place, or linked.
    case complete(path: String, folder: String)
    /// Owner or mode of a plugin file have changed.
    case changed(path: String, folder: String)
    /// A plugin file is gone.
    case gone(path: String)
}
