/// A field of Mux Data by its name on the wire; the order is the one in which records and beacons have them.
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
    case videoSourceCodec, videoSourceName, viewDroppedFrameCount

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
