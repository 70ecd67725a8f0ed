/// Lines of one archive that were found by someone else, for whoever decodes them.
package protocol LineFeed: AnyObject {
    /// The archive's name.
    var path: String { get }

    /// The next lines that follow each other, nil at the archive's end; lent until the next call.
    func next() -> LineStretch?
}

/// Whole lines that follow each other in an archive, with their breaks.
@safe package struct LineStretch {
    /// The lines.
    let bytes: UnsafeRawBufferPointer
    /// How many bytes from the first on can be read: those of the lines, and maybe more.
    let readable: Int
    /// The number of the first line, from 1.
    let firstNumber: Int

    /// Lends the first `count` of the readable bytes, which are whole lines.
    package init(_ readable: UnsafeRawBufferPointer, count: Int, firstNumber: Int) {
        unsafe bytes = UnsafeRawBufferPointer(rebasing: readable[..<count])
        self.readable = readable.count
        self.firstNumber = firstNumber
    }
}
