/// One step of the ladder that every video of the reference archive has.
struct ReferenceRendition {
    let name: String
    let bitrate: Int64
    let width: Int32
    let height: Int32
    let framesPerSecond: Double

    static let ladder = [
        ReferenceRendition(name: "240p", bitrate: 400_000, width: 426, height: 240, framesPerSecond: 25),
        ReferenceRendition(name: "360p", bitrate: 900_000, width: 640, height: 360, framesPerSecond: 25),
        ReferenceRendition(name: "540p", bitrate: 2_000_000, width: 960, height: 540, framesPerSecond: 25),
        ReferenceRendition(name: "720p", bitrate: 3_500_000, width: 1280, height: 720, framesPerSecond: 50),
        ReferenceRendition(name: "1080p", bitrate: 6_500_000, width: 1920, height: 1080, framesPerSecond: 50),
    ]
}
