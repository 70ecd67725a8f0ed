package import PluginKit

/// The attributes that tell how long ago another action was sent.
///
/// Which rows concern a standard action is worked out once; a name that the application made up is compared with each
/// row.
package struct TimeSinceTable: Sendable {
    private var entries: [TimeSinceEntry] = []
    private var plans = [Plan](repeating: Plan(), count: StandardAction.all.count)

    /// The rows that an action reads, and those that it stamps.
    private struct Plan: Sendable {
        var measured: [Int] = []
        var stamped: [Int] = []
    }

    /// The attributes of the rows, in order.
    package var attributes: [UTF8Text] { entries.map(\.attribute) }

    /// Makes a table without rows.
    package init() {}

    /// Adds a row at the end; the texts outlive the table.
    package mutating func add(trigger: UTF8Text, attribute: UTF8Text, filter: ActionFilter) {
        for action in StandardAction.all {
            if filter.matches(UTF8Text(action.name)) {
                plans[action.index].measured.append(entries.count)
            }
            if trigger == action.name {
                plans[action.index].stamped.append(entries.count)
            }
        }
        entries.append(TimeSinceEntry(trigger: trigger, attribute: attribute, filter: filter, stamp: nil))
    }

    /// Whether a row decides the attribute on this action, be it that it leaves it out.
    package func decides(_ attribute: UTF8Text, on action: Action) -> Bool {
        entries.contains { $0.attribute == attribute && $0.filter.matches(action.name) }
    }

    /// Whether a row is about the attribute.
    package func has(_ attribute: String) -> Bool {
        entries.contains { $0.attribute == attribute }
    }

    /// Stamps the rows of an attribute apart from any action.
    package mutating func stamp(_ attribute: UTF8Text, at now: Int64) {
        setStamp(attribute, now)
    }

    /// Makes the rows of an attribute as if their action had never been sent.
    package mutating func forget(_ attribute: UTF8Text) {
        setStamp(attribute, nil)
    }

    private mutating func setStamp(_ attribute: UTF8Text, _ stamp: Int64?) {
        for index in entries.indices where entries[index].attribute == attribute {
            entries[index].stamp = stamp
        }
    }

    /// Appends what the action carries, then stamps the rows that it triggers: an event never measures from itself.
    package mutating func apply(_ action: Action, at now: Int64, to attributes: inout EventAttributes) {
        guard let standard = action.standard else {
            return applyCustom(action, at: now, to: &attributes)
        }
        for index in plans[standard.index].measured {
            append(index, at: now, to: &attributes)
        }
        for index in plans[standard.index].stamped {
            entries[index].stamp = now
        }
    }

    private mutating func applyCustom(_ action: Action, at now: Int64, to attributes: inout EventAttributes) {
        for index in entries.indices {
            if entries[index].filter.matches(action.name) {
                append(index, at: now, to: &attributes)
            }
            if entries[index].trigger == action.name {
                entries[index].stamp = now
            }
        }
    }

    /// The stamps of all rows; a table with the same rows takes them.
    package var stamps: [Int64?] {
        get { entries.map(\.stamp) }
        set {
            for (index, stamp) in zip(entries.indices, newValue) { entries[index].stamp = stamp }
        }
    }

    /// Takes the stamps of the rows that another table has as well.
    package mutating func copyStamps(of other: TimeSinceTable) {
        for index in entries.indices {
            let same = other.entries.first {
                $0.trigger == entries[index].trigger && $0.attribute == entries[index].attribute
            }
            entries[index].stamp = same?.stamp
        }
    }

    private func append(_ index: Int, at now: Int64, to attributes: inout EventAttributes) {
        guard let stamp = entries[index].stamp else { return }
        if index < Self.standardCount {
            attributes.append(entries[index].attribute, .int(now - stamp))
        } else {
            // Two rows of an application may be about one attribute, or about one that the tracker has itself.
            attributes.set(entries[index].attribute, .int(now - stamp))
        }
    }
}

/// One row of the time-since table.
package struct TimeSinceEntry: Sendable {
    /// The action that sets the stamp.
    let trigger: UTF8Text
    /// The attribute that tells the time since.
    let attribute: UTF8Text
    /// The actions that carry the attribute.
    let filter: ActionFilter
    /// When the trigger was sent last, ms.
    var stamp: Int64?
}

extension TimeSinceTable {
    /// The table that every tracker begins with.
    package static let standard: TimeSinceTable = {
        var table = TimeSinceTable()
        for row in rows {
            table.add(trigger: UTF8Text(row.trigger), attribute: UTF8Text(row.attribute), filter: row.filter)
        }
        return table
    }()

    /// How many rows the standard table has; those behind are the application's.
    static let standardCount = rows.count

    private static let content = ActionFilter.beginning("CONTENT_")
    private static let ads = ActionFilter.beginning("AD_")

    // The order is that of the attributes in an event.
    private static let rows: [(trigger: StaticString, attribute: StaticString, filter: ActionFilter)] = [
        ("TRACKER_READY", "timeSinceTrackerReady", .capitals),
        ("CONTENT_HEARTBEAT", "timeSinceLastHeartbeat", content),
        ("AD_HEARTBEAT", "timeSinceLastAdHeartbeat", ads),
        ("CONTENT_REQUEST", "timeSinceRequested", content),
        ("AD_REQUEST", "timeSinceAdRequested", ads),
        ("CONTENT_START", "timeSinceStarted", content),
        ("AD_START", "timeSinceAdStarted", ads),
        ("CONTENT_PAUSE", "timeSincePaused", .oneOf(["CONTENT_RESUME"])),
        ("AD_PAUSE", "timeSinceAdPaused", .oneOf(["AD_RESUME"])),
        ("CONTENT_RESUME", "timeSinceResumed", .oneOf(["CONTENT_BUFFER_START", "CONTENT_BUFFER_END"])),
        ("AD_RESUME", "timeSinceAdResumed", .oneOf(["AD_BUFFER_START", "AD_BUFFER_END"])),
        ("CONTENT_SEEK_START", "timeSinceSeekBegin", .oneOf(["CONTENT_SEEK_END"])),
        ("AD_SEEK_START", "timeSinceAdSeekBegin", .oneOf(["AD_SEEK_END"])),
        ("CONTENT_SEEK_END", "timeSinceSeekEnd", .oneOf(["CONTENT_BUFFER_START", "CONTENT_BUFFER_END"])),
        ("AD_SEEK_END", "timeSinceAdSeekEnd", .oneOf(["AD_BUFFER_START", "AD_BUFFER_END"])),
        ("CONTENT_BUFFER_START", "timeSinceBufferBegin", .oneOf(["CONTENT_BUFFER_END"])),
        ("AD_BUFFER_START", "timeSinceAdBufferBegin", .oneOf(["AD_BUFFER_END"])),
        ("CONTENT_ERROR", "timeSinceLastError", content),
        ("AD_ERROR", "timeSinceLastAdError", ads),
        ("CONTENT_RENDITION_CHANGE", "timeSinceLastRenditionChange", .oneOf(["CONTENT_RENDITION_CHANGE"])),
        ("AD_RENDITION_CHANGE", "timeSinceLastAdRenditionChange", .oneOf(["AD_RENDITION_CHANGE"])),
        ("AD_BREAK_START", "timeSinceAdBreakBegin", .oneOf(["AD_BREAK_END"])),
        ("AD_QUARTILE", "timeSinceLastAdQuartile", .oneOf(["AD_QUARTILE"])),
        // No action of the content's own tracker sets this one: the linked tracker does when an ad ends.
        ("", "timeSinceLastAd", content),
    ]
}
