public import EventModel
public import Tally

/// Something that a player shows or says of itself; nobody hears of it before its next track call.
public enum PlayerDetail: Sendable, Equatable {
    /// Asset id.
    case assetID(String?)
    /// Title.
    case title(String?)
    /// Address of the media.
    case url(String?)
    /// Length that the video information tells, s; nil when it is not known.
    case length(Double?)
    /// Length that the player's state tells, ms.
    case duration(Int64)
    /// Kind of stream.
    case streamType(AssetType)
    /// Place in the main content, ms: a jump without a seek.
    case position(Int64)
    /// Live: wall clock of the stream's beginning, ms since 1970.
    case liveStart(Int64)
    /// Whether there is no picture.
    case audioOnly(Bool)
    /// Kind of the ad break: `pre`, `mid` or `post`.
    case adBreakType(String?)
    /// Id of the ads, nil for one made of their number.
    case adID(String?)
    /// An attribute of the application's own in the video information.
    case videoAttribute(String, PlainValue)
    /// An attribute of the application's own in the ad information.
    case adAttribute(String, PlainValue)
}

extension SyntheticPlayer {
    /// Changes what the player shows or says.
    func show(_ detail: PlayerDetail) {
        change { model in
            switch detail {
            case .assetID(let id): model.id = id
            case .title(let title): model.name = title
            case .url(let url): model.url = url
            case .length(let length): model.length = length
            case .duration(let duration): model.duration = duration
            case .streamType(let type): model.streamType = type
            case .position(let position): model.position = position
            case .liveStart(let time): model.liveStart = time
            case .audioOnly(let truth): model.audioOnly = truth
            case .adBreakType(let type): model.adBreakType = type
            case .adID(let id): model.adID = id
            case .videoAttribute(let name, let value): model.videoAttributes[name] = value
            case .adAttribute(let name, let value): model.adAttributes[name] = value
            }
        }
    }
}
