/// Lines of one archive that were found by someone else, for whoever decodes them.
package protocol LineFeed: AnyObject {
    /// The archive's name.
    var path: String { get }

    /// The next line without its break, lent until the next call, and its number; nil at the archive's end.
    func next() -> (bytes: UnsafeRawBufferPointer, number: Int)?

    /// What can be read from the next line's first byte on, nil when that line is not at hand; it is not taken.
    func peek() -> UnsafeRawBufferPointer?
}
