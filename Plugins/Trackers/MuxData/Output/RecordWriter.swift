internal import PluginKit

/// Writes events and data as records.
struct RecordWriter: ~Copyable {
    private let host: TrackerHost
    private let player: String
    private let names = Field.names
    /// Time updates are nearly all records, and differ in a number or two: theirs is kept.
    private let timeUpdate = RecordBuilder()
    private var timeUpdateHas: FieldSet?
    /// Where in a time update a field stands.
    private var timeUpdateIndexes = [UInt8](repeating: 0, count: Field.allCases.count)
    private let timeUpdateFields = Self.timeUpdateFields

    /// Writes through a host, for a player.
    init(_ host: TrackerHost, player: String) {
        self.host = host
        self.player = player
    }

    /// Writes an event with its fields.
    ///
    /// - Returns: the record's number.
    func write(_ event: MuxEvent, _ fields: borrowing FieldValues) -> UInt64 {
        let builder = CallBuilders.ofThread.record
        begin(builder, event.rawValue)
        set(fields.present.intersection(Self.fields(of: event)), fields, in: builder)
        return host.emit(builder)
    }

    /// Writes a time update: the one before it with what has changed, or all of it when other fields are known now.
    mutating func writeTimeUpdate(_ fields: inout FieldValues) {
        let known = fields.present.intersection(timeUpdateFields)
        let changed = fields.changedForTimeUpdate.intersection(known)
        fields.changedForTimeUpdate = []
        // Text that is replaced again and again would fill the builder's memory.
        if timeUpdateHas == known, changed.isDisjoint(with: fields.textual) {
            changed.forEachField { field in
                fields.write(field, at: Int(timeUpdateIndexes[Int(field.rawValue)]), to: timeUpdate)
            }
        } else {
            begin(timeUpdate, MuxEvent.timeupdate.rawValue)
            known.forEachField { field in
                timeUpdateIndexes[Int(field.rawValue)] = UInt8(timeUpdate.count)
                fields.write(field, names[Int(field.rawValue)], to: timeUpdate)
            }
            // A field that was left out has no place there.
            timeUpdateHas = timeUpdate.problem == nil ? known : nil
        }
        host.emit(timeUpdate)
    }

    /// Writes a data event: fields that changed, nothing for those that lost their value.
    func writeData(
        _ kind: StaticString,
        _ changed: FieldSet,
        _ fields: borrowing FieldValues,
        isVideoChange: Bool = false
    ) {
        let builder = CallBuilders.ofThread.record
        builder.begin(kind)
        builder.set("player", player)
        if isVideoChange { builder.set("video_change", true) }
        set(changed, fields, in: builder)
        host.emit(builder)
    }

    /// Writes a record of another kind.
    func write(_ kind: StaticString, _ fill: (RecordBuilder) -> Void) {
        let builder = CallBuilders.ofThread.record
        builder.begin(kind)
        builder.set("player", player)
        fill(builder)
        host.emit(builder)
    }

    private func begin(_ builder: RecordBuilder, _ kind: String) {
        var kind = kind
        kind.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe builder.begin(UTF8Text(start: start, count: bytes.count))
        }
        builder.set("player", player)
    }

    private func set(_ chosen: FieldSet, _ fields: borrowing FieldValues, in builder: RecordBuilder) {
        chosen.forEachField { field in fields.write(field, names[Int(field.rawValue)], to: builder) }
    }

    /// Which fields an event's record has, when they are known.
    private static func fields(of event: MuxEvent) -> FieldSet {
        switch event {
        case .viewinit, .viewstart, .viewend: allFields
        default: eventFields
        }
    }

    private static let timeUpdateFields = FieldSet(groups: [.player, .videoSource]).union([.viewerTime, .viewId])
    private static let eventFields = FieldSet(groups: [.player, .videoSource, .view, .ad, .request, .detail])
        .union([.viewerTime])
    private static let allFields: FieldSet = {
        var fields = FieldSet(groups: FieldGroup.allCases)
        fields.remove(.event)
        return fields
    }()
}
