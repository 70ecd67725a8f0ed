internal import PluginKit

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
