/// Where a replay stands in its input.
package protocol InputPlace: AnyObject {
    /// The place of what is replayed at the moment; never less than before.
    var position: UInt64 { get }
}
