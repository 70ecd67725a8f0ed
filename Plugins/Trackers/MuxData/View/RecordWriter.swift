internal import PluginKit

/// Writes events and data as records.
final class RecordWriter {
    private let host: TrackerHost
    private let player: String
    private let builder = RecordBuilder()
    /// Time updates are nearly all records, and differ in a number or two: theirs is kept.
    private let timeUpdate = RecordBuilder()
    private var timeUpdateHas: FieldSet?

    /// Writes through a host, for a player.
    init(_ host: TrackerHost, player: String) {
        self.host = host
        self.player = player
    }

    /// Writes an event with its fields.
    ///
    /// - Returns: the record's number.
    func write(_ event: MuxEvent, _ fields: FieldValues) -> UInt64 {
        if event == .timeupdate { return writeTimeUpdate(fields) }
        begin(builder, event.rawValue)
        set(fields.present.intersection(Self.fields(of: event)), fields, in: builder)
        return host.emit(builder)
    }

    /// Writes a time update: the one before it with what has changed, or all of it when other fields are known now.
    private func writeTimeUpdate(_ fields: FieldValues) -> UInt64 {
        let known = fields.present.intersection(Self.timeUpdateFields)
        let changed = fields.changedForTimeUpdate.intersection(known)
        fields.changedForTimeUpdate = []
        var canStay = timeUpdateHas == known
        // Text that is replaced again and again would fill the builder's memory.
        if canStay { changed.forEachIndex { if fields.isText(index: $0) { canStay = false } } }
        if canStay {
            set(changed, fields, in: timeUpdate)
        } else {
            begin(timeUpdate, MuxEvent.timeupdate.rawValue)
            set(known, fields, in: timeUpdate)
            timeUpdateHas = known
        }
        return host.emit(timeUpdate)
    }

    /// Writes a data event: fields that changed, nothing for those that lost their value.
    func writeData(_ kind: StaticString, _ changed: FieldSet, _ fields: FieldValues, isVideoChange: Bool = false) {
        builder.begin(kind)
        builder.set("player", player)
        if isVideoChange { builder.set("video_change", true) }
        set(changed, fields, in: builder)
        host.emit(builder)
    }

    /// Writes a record of another kind.
    func write(_ kind: StaticString, _ fill: (RecordBuilder) -> Void) {
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

    private func set(_ chosen: FieldSet, _ fields: FieldValues, in builder: RecordBuilder) {
        let definitions = FieldDefinition.all
        chosen.forEachIndex { index in
            let name = definitions[index].name
            switch fields[index: index] {
            case .absent: builder.setNull(name)
            case .int(let number): builder.set(name, number)
            case .double(let number): builder.set(name, number)
            case .flag(let truth): builder.set(name, truth)
            case .text(let text), .json(let text): Self.set(name, text, in: builder)
            }
        }
    }

    private static func set(_ name: UTF8Text, _ text: String, in builder: RecordBuilder) {
        var text = text
        text.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return builder.set(name, UTF8Text("")) }
            unsafe builder.set(name, UTF8Text(start: start, count: bytes.count))
        }
    }

    /// Which fields an event's record has, when they are known.
    private static func fields(of event: MuxEvent) -> FieldSet {
        switch event {
        case .timeupdate: timeUpdateFields
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
