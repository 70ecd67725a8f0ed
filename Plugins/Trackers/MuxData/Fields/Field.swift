package import EventModel
internal import PluginKit

/// A field of Mux Data; the order is the one in which records and beacons have them.
///
/// Its name on the wire follows from the case: ``videoSourceUrl`` is `video_source_url`, ``custom1`` is `custom_1`.
package enum Field: UInt8, CaseIterable, Sendable {
    // What every event has.
    case event, viewerTime

    // EnvironmentData, and what names the collector and the player.
    case envKey, beaconDomain, muxApiVersion, muxEmbed, muxEmbedVersion, muxViewerId, sessionId, sessionStart
    case sessionExpires

    // ViewerData.
    case viewerApplicationEngine, viewerApplicationName, viewerApplicationVersion, viewerConnectionType
    case viewerDeviceCategory, viewerDeviceManufacturer, viewerDeviceModel, viewerDeviceName
    case viewerOsArchitecture, viewerOsFamily, viewerOsVersion

    // PlayerData.
    case playerInstanceId, playerViewCount, playerSequenceNumber, playerMuxPluginName, playerMuxPluginVersion
    case playerSoftwareName, playerSoftwareVersion, playerLanguageCode, playerWidth, playerHeight
    case playerIsFullscreen, playerIsPaused, playerPlayheadTime, playerErrorCode, playerErrorMessage
    case playerErrorContext, playerErrorSeverity, playerErrorBusinessException, playerProgramTime
    case playerLiveEdgeProgramTime, playerRemotePlayed, playerAutoplayOn, playerPlaybackMode

    // VideoData.
    case videoSourceUrl, videoSourceDomain, videoSourceHostname, videoSourceMimeType, videoSourceWidth
    case videoSourceHeight, videoSourceDuration, videoSourceIsLive, videoSourceBitrate, videoSourceFps
    case videoSourceCodec, videoSourceRenditionName, viewDroppedFrameCount

    // CustomerPlayerData.
    case viewerUserId, experimentName, playerName, playerVersion, playerInitTime, subPropertyId, pageType
    case adConfigVariant

    // CustomerVideoData.
    case videoId, videoTitle, videoSeries, videoProducer, videoContentType, videoStreamType, videoDuration
    case videoLanguageCode, videoCdn, videoVariantId, videoVariantName, videoEncodingVariant, videoIsLive
    case videoExperiments, videoAffiliate, videoBrand, videoCodec, videoAudioCodec, videoDynamicRangeType
    case videoCreatorId

    // CustomerViewData.
    case viewSessionId, viewDrmType, viewDrmLevel, viewCdnEdgePop, viewCdnOrigin, viewClientApplicationName
    case viewClientApplicationVersion, viewTimeShiftEnabled

    // CustomData.
    case custom1, custom2, custom3, custom4, custom5, custom6, custom7, custom8, custom9, custom10, custom11
    case custom12, custom13, custom14, custom15, custom16, custom17, custom18, custom19, custom20

    // ViewData: what the core library computes.
    case viewId, viewSequenceNumber, viewStart, viewEnd, viewTimeToFirstFrame, viewWatchTime, viewPlayingTime
    case viewPlayingTimeMsCumulative, adPlayingTimeMsCumulative
    case viewContentPlaybackTime, viewMaxPlayheadPosition, viewRebufferCount, viewRebufferDuration
    case viewRebufferFrequency, viewRebufferPercentage, viewSeekCount, viewSeekDuration, viewMaxSeekTime
    case viewTotalContentPlaybackTime, viewTotalUpscaling, viewTotalDownscaling, viewMaxUpscalePercentage
    case viewMaxDownscalePercentage, viewRequestCount, viewRequestFailedCount, viewRequestCanceledCount
    case viewMinRequestThroughput, viewAverageRequestThroughput, viewMaxRequestLatency
    case viewAverageRequestLatency, viewAdRequestCount, viewAdRequestTime, viewAdPlayedCount
    case viewAdClickedCount, viewAdSkippedCount, viewPrerollRequested, viewPrerollPlayed
    case viewPrerollRequestCount, viewPrerollRequestTime, viewPrerollLoadTime, viewStartupPrerollRequestTime
    case viewStartupPrerollLoadTime, viewProgramChanged

    // AdData.
    case adType, adId, adAssetUrl, adTagUrl, adCreativeId, adUniversalId, adRequestId

    // BandwidthMetricData.
    case requestStart, requestResponseStart, requestResponseEnd, requestBytesLoaded, requestType
    case requestHostname, requestId, requestUrl, requestLabeledBitrate, requestMediaDuration
    case requestMediaStartTime, requestVideoWidth, requestVideoHeight, requestCurrentLevel
    case requestRenditionLists, requestResponseHeaders, requestError, requestErrorCode, requestErrorText
    case requestCancel

    // What one kind of event alone has.
    case playerStartupTime, videoPreviousCdn, viewerDeviceOrientationX, viewerDeviceOrientationY
    case viewerDeviceOrientationZ
}

extension Field {
    /// Its name as records have it.
    package var name: UTF8Text { Self.names[Int(rawValue)] }

    /// The names of all fields in their order.
    static let names: [UTF8Text] = allCases.map { field in
        var name: [UInt8] = []
        for byte in "\(field)".utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): name += [UInt8(ascii: "_"), byte | 0x20]
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !(name.last.map(isDigit) ?? true):
                name += [UInt8(ascii: "_"), byte]
            default: name.append(byte)
            }
        }
        // Kept as long as the library is: records borrow the names.
        let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: name.count)
        for (index, byte) in name.enumerated() { unsafe (memory + index).initialize(to: byte) }
        return unsafe UTF8Text(start: memory, count: name.count)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// The field with a name, nil when Mux Data has none.
    package static func named(_ name: UTF8Text) -> Field? {
        names.firstIndex { $0 == name }.flatMap { Field(rawValue: UInt8($0)) }
    }

    /// The data object that it belongs to.
    package var group: FieldGroup { FieldGroup.allCases.last { $0.first.rawValue <= rawValue } ?? .event }
}

/// The data object of Mux Data that a field belongs to (custom integration guide for Objective-C; the classes'
/// headers).
package enum FieldGroup: CaseIterable, Sendable {
    // In the order of their fields; `detail` is what only one kind of event has.
    case event, environment, viewer, player, videoSource, customerPlayer, customerVideo, customerView, custom, view, ad
    case request, detail

    /// Its first field; the others follow up to the first one of the next group.
    fileprivate var first: Field {
        switch self {
        case .event: .event
        case .environment: .envKey
        case .viewer: .viewerApplicationEngine
        case .player: .playerInstanceId
        case .videoSource: .videoSourceUrl
        case .customerPlayer: .viewerUserId
        case .customerVideo: .videoId
        case .customerView: .viewSessionId
        case .custom: .custom1
        case .view: .viewId
        case .ad: .adType
        case .request: .requestStart
        case .detail: .playerStartupTime
        }
    }
}

/// A set of fields: 256 bits.
package struct FieldSet: Equatable, Sendable, ExpressibleByArrayLiteral {
    private var words = SIMD4<UInt64>()

    /// No field.
    package init() {}

    /// The fields of a list.
    package init(arrayLiteral fields: Field...) {
        for field in fields { insert(field) }
    }

    /// The fields of some data objects.
    package init(groups: [FieldGroup]) {
        for field in Field.allCases where groups.contains(field.group) { insert(field) }
    }

    /// Whether there is none.
    package var isEmpty: Bool { words == SIMD4<UInt64>() }

    /// Whether the two have no field in common.
    func isDisjoint(with other: FieldSet) -> Bool { words & other.words == SIMD4<UInt64>() }

    /// Whether a field is in it.
    @inline(__always)
    package func contains(_ field: Field) -> Bool { words[Int(field.rawValue >> 6)] & Self.bit(field) != 0 }

    /// Adds a field.
    @inline(__always)
    package mutating func insert(_ field: Field) { words[Int(field.rawValue >> 6)] |= Self.bit(field) }

    /// Removes a field.
    @inline(__always)
    package mutating func remove(_ field: Field) { words[Int(field.rawValue >> 6)] &= ~Self.bit(field) }

    /// The fields of either.
    package func union(_ other: FieldSet) -> FieldSet {
        var result = self
        result.words |= other.words
        return result
    }

    /// The fields that both have.
    package func intersection(_ other: FieldSet) -> FieldSet {
        var result = self
        result.words &= other.words
        return result
    }

    /// The fields that the other does not have.
    package func subtracting(_ other: FieldSet) -> FieldSet {
        var result = self
        result.words &= ~other.words
        return result
    }

    /// Calls the closure with each field, in order.
    @inline(__always)
    func forEachField(_ body: (Field) -> Void) {
        for index in 0..<4 {
            var rest = words[index]
            while rest != 0 {
                // Each bit was set for a field with this raw value; looking it up again costs as much as the body.
                let field = unsafe unsafeBitCast(UInt8(index << 6 | rest.trailingZeroBitCount), to: Field.self)
                body(field)
                rest &= rest - 1
            }
        }
    }

    @inline(__always)
    private static func bit(_ field: Field) -> UInt64 { 1 << UInt64(field.rawValue & 63) }
}
