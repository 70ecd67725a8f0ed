internal import EventModel
package import PluginABI

/// Persistent values in the form in which a tracker gets them: attributes in the order of their names.
package enum StoredValues {
    /// Lends the values as a block; nil when there are none.
    package static func with<Result>(
        _ values: [String: String],
        _ body: (UnsafePointer<tally_record>?) -> Result
    ) -> Result {
        guard !values.isEmpty else { return body(nil) }
        let record = RecordBuilder()
        record.begin("stored")
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            record.set(named: key, .string(value))
        }
        return withExtendedLifetime(record) { unsafe body(record.raw) }
    }
}
