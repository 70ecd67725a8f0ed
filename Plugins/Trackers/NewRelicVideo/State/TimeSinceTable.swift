package import PluginKit

/// The attributes that tell how long ago another action was sent.
package struct TimeSinceTable: Sendable {
    /// What is the same in all tables that have no rows of an application's, and shared by them.
    private var rows: [Row] = []
    /// When each row's trigger was sent last, ms.
    private var stamps: [Int64?] = []

    /// A row: what sets its stamp, the attribute that tells the time since, and the actions that carry it.
    private struct Row: Sendable {
        let trigger: UTF8Text
        let attribute: UTF8Text
        let actions: ActionMatcher
    }

    /// The attributes of the rows, in order.
    package var attributes: [UTF8Text] { rows.map(\.attribute) }

    /// Makes a table without rows.
    package init() {}

    /// Adds a row at the end; the texts outlive the table.
    package mutating func add(trigger: UTF8Text, attribute: UTF8Text, filter: ActionFilter) {
        rows.append(Row(trigger: trigger, attribute: attribute, actions: ActionMatcher(filter)))
        stamps.append(nil)
    }

    /// Whether a row decides the attribute on this action, be it that it leaves it out.
    package func decides(_ attribute: UTF8Text, on action: Action) -> Bool {
        rows.contains { $0.attribute == attribute && $0.actions.matches(action) }
    }

    /// Whether a row is about the attribute.
    package func has(_ attribute: String) -> Bool { rows.contains { $0.attribute == attribute } }

    /// Stamps the rows of an attribute apart from any action; nil is as if their action had never been sent.
    package mutating func setStamp(_ attribute: StaticString, _ stamp: Int64?) {
        for index in rows.indices where rows[index].attribute == attribute { stamps[index] = stamp }
    }

    /// Appends what the action carries, and stamps the rows that it triggers: an event never measures from itself.
    package mutating func apply(_ action: Action, at now: Int64, to attributes: inout EventAttributes) {
        for index in rows.indices {
            if let stamp = stamps[index], rows[index].actions.matches(action) {
                if index < Self.standardRows.count {
                    attributes.append(rows[index].attribute, .int(now - stamp))
                } else {
                    // Two rows of an application may be about one attribute, or about one that the tracker has itself.
                    attributes.set(rows[index].attribute, .int(now - stamp))
                }
            }
            if rows[index].trigger == action.name { stamps[index] = now }
        }
    }

    /// Copies the stamps of the rows that another table has as well.
    package mutating func copyStamps(of other: TimeSinceTable) {
        for (index, row) in rows.enumerated() {
            let same = other.rows.firstIndex { $0.trigger == row.trigger && $0.attribute == row.attribute }
            stamps[index] = same.flatMap { other.stamps[$0] }
        }
    }
}

extension TimeSinceTable {
    /// The table that every tracker begins with.
    package static let standard: TimeSinceTable = {
        var table = TimeSinceTable()
        for row in standardRows {
            table.add(trigger: UTF8Text(row.trigger), attribute: UTF8Text(row.attribute), filter: row.filter)
        }
        return table
    }()

    private static let content = ActionFilter.beginning("CONTENT_")
    private static let ads = ActionFilter.beginning("AD_")

    // The order is that of the attributes in an event.
    private static let standardRows: [(trigger: StaticString, attribute: StaticString, filter: ActionFilter)] = [
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
