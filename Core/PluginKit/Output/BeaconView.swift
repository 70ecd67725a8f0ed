public import EventModel
package import PluginABI

/// One beacon, lent as long as its output is.
@safe public struct BeaconView {
    /// A place that is written over each time the beacon is sent.
    public struct Patch: Equatable, Sendable {
        /// Where it lies.
        public let part: BeaconPart
        /// What is written there.
        public let patch: BeaconPatch
        /// Its first byte in that part.
        public let offset: Int

        /// Describes a place.
        public init(part: BeaconPart, patch: BeaconPatch, offset: Int) {
            self.part = part
            self.patch = patch
            self.offset = offset
        }
    }

    private let raw: tally_beacon

    /// Reads a beacon in place; it has to live as long as the view is used.
    package init(_ foreign: UnsafePointer<tally_beacon>) {
        unsafe raw = unsafe ForeignStructure.copy(foreign, into: tally_beacon())
    }

    /// A lasting key for order, back-off and credentials.
    public var destination: UTF8Text { unsafe UTF8Text(raw.destination) }
    /// The HTTP method.
    public var method: UTF8Text { unsafe UTF8Text(raw.method) }
    /// The address.
    public var url: UTF8Text { unsafe UTF8Text(raw.url) }
    /// The body, which can be any bytes.
    public var body: UTF8Text { unsafe UTF8Text(raw.body) }
    /// The secret to add, by name; empty when there is none.
    public var credential: UTF8Text { unsafe UTF8Text(raw.credential) }
    /// How it wants to be treated.
    public var options: BeaconOptions { unsafe BeaconOptions(rawValue: raw.flags) }
    /// How old it may become before it is dropped, s; 0 leaves that to the reporter.
    public var maximumAgeSeconds: Int64 { unsafe raw.max_age_s }

    /// How many headers there are.
    public var headerCount: Int { unsafe raw.headers == nil ? 0 : Int(raw.header_count) }

    /// The header at a place.
    public func header(_ index: Int) -> (name: UTF8Text, value: UTF8Text) {
        precondition(index >= 0 && index < headerCount, "header \(index) of \(headerCount)")
        guard let headers = unsafe raw.headers else { return (UTF8Text(""), UTF8Text("")) }
        return unsafe (UTF8Text(headers[index].name), UTF8Text(headers[index].value))
    }

    /// The places that are written over when it is sent; one of an unknown kind is left out.
    public var patches: [Patch] {
        unsafe UnsafeBufferPointer(start: raw.patches, count: raw.patches == nil ? 0 : Int(raw.patch_count))
            .compactMap { patch in
                guard let part = BeaconPart(rawValue: patch.part),
                    let kind = BeaconPatch(kind: patch.kind, width: Int(patch.width))
                else { return nil }
                return Patch(part: part, patch: kind, offset: Int(patch.off))
            }
    }

    /// The numbers of the records that it carries.
    public var records: [UInt64] {
        unsafe Array(UnsafeBufferPointer(start: raw.records, count: raw.records == nil ? 0 : Int(raw.record_count)))
    }
}
