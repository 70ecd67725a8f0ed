import Glibc
import PluginABI
import PluginKit

/// A host made of the header's tables alone: it notes what it is told and offers what it is asked to.
@safe final class FakeHost {
    /// A record with memory of its own.
    @safe struct Record {
        let kind: String
        let names: [String]
        let values: [PlainValue]
        /// Where the attributes lay.
        let memory: UnsafeRawPointer?

        func value(_ name: String) -> PlainValue? {
            names.firstIndex(of: name).map { values[$0] }
        }
    }

    /// A beacon with memory of its own.
    struct Beacon {
        let destination: String
        let method: String
        let url: String
        let body: String
        let credential: String
        let headers: [String]
        let patches: [tally_patch]
        let records: [UInt64]
        let flags: UInt32
        let maximumAge: Int64
    }

    /// A timer that was started.
    struct Timer: Equatable {
        let id: UInt64
        let deadline: Int64
        let scope: UInt32
    }

    /// An answer to a flush.
    struct Answer: Equatable {
        let token: UInt64
        let delivered: UInt64
        let kept: UInt64
        let dropped: UInt64
    }

    var logs: [String] = []
    var errors: [String] = []
    var records: [Record] = []
    var beacons: [Beacon] = []
    var timers: [Timer] = []
    var cancelled: [UInt64] = []
    var stored: [String] = []
    var playerErrors: [String] = []
    var answers: [Answer] = []
    var readyCount = 0
    /// What emitting, starting a timer and storing give back.
    var status = TALLY_OK
    /// Extensions that are not offered.
    var withheld: Set<String> = []
    /// Tables that are offered instead of the whole ones.
    var replaced: [String: UnsafeRawPointer] = unsafe [:]

    let arena = Arena()
    private(set) lazy var raw = unsafe UnsafePointer(arena.keep(table))
    private lazy var tables: [String: UnsafeRawPointer] = unsafe FakeHostTables.make(in: arena)

    /// The table of base functions.
    var table: tally_host {
        unsafe FakeHostTables.host(data: Unmanaged.passUnretained(self).toOpaque())
    }

    /// The host behind a pointer that a plugin hands back.
    static func of(_ host: UnsafePointer<tally_host>) -> FakeHost? {
        unsafe host.pointee.host_data.map { unsafe Unmanaged<FakeHost>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The table of an extension.
    func find(_ id: String) -> UnsafeRawPointer? {
        unsafe withheld.contains(id) ? nil : replaced[id] ?? tables[id]
    }

    func take(_ record: tally_record) -> UInt64 {
        let list = unsafe AttributeList(
            base: record.heap ?? UnsafeRawPointer(raw),
            first: record.attrs ?? UnsafePointer(arena.keep(tally_attr())),
            count: record.attrs == nil ? 0 : Int(record.attr_count)
        )
        unsafe records.append(
            Record(
                kind: record.kind.string,
                names: list.map(\.name.string),
                values: list.map { PlainValue($0.value) },
                memory: unsafe UnsafeRawPointer(record.attrs)
            )
        )
        return UInt64(records.count)
    }

    func take(_ beacon: tally_beacon) {
        let headers = unsafe UnsafeBufferPointer(start: beacon.headers, count: Int(beacon.header_count))
        unsafe beacons.append(
            Beacon(
                destination: beacon.destination.string,
                method: beacon.method.string,
                url: beacon.url.string,
                body: beacon.body.string,
                credential: beacon.credential.string,
                headers: headers.map { unsafe $0.name.string + ": " + $0.value.string },
                patches: unsafe Array(UnsafeBufferPointer(start: beacon.patches, count: Int(beacon.patch_count))),
                records: unsafe Array(UnsafeBufferPointer(start: beacon.records, count: Int(beacon.record_count))),
                flags: unsafe beacon.flags,
                maximumAge: unsafe beacon.max_age_s
            )
        )
    }
}

extension tally_str {
    /// A copy of the text.
    var string: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: ptr, count: len), as: UTF8.self)
    }
}
