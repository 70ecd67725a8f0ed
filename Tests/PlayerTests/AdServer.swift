internal import AdDocuments
internal import Glibc
internal import LoopbackServer
internal import Testing

/// An ad server with real creatives: a second of picture and sound each.
struct AdServer {
    private let folder = TemporaryFolder()
    let server: LoopbackServer

    /// Serves all documents, with faults for some of them.
    init(faults: [FaultRule] = []) throws {
        let creatives = try #require(Self.creatives)
        _ = folder.write("garbage.mp4", String(repeating: "no media at all ", count: 2000))
        for (name, text) in AdDocuments.all { _ = folder.write(name, text) }
        // Copies, because a link would lead out of the folder.
        try Self.copy(from: creatives, to: folder.path)
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = faults
        server = try LoopbackServer(configuration)
    }

    func url(_ name: String) -> String { server.url(of: name) }

    /// A file of its own.
    func file(_ name: String) -> String { folder.file(name) }

    func write(_ name: String, _ text: String) { _ = folder.write(name, text) }

    /// What was asked for below `track/`, without the queries, in its order.
    var tracked: [String] {
        server.requests.map(\.path).filter { $0.hasPrefix("/track/") }.map { String($0.dropFirst("/track/".count)) }
    }

    private static let creatives: String? = {
        let folder = TestMedia.shared.folder + "/creatives"
        let made =
            unsafe system(
                "mkdir -p \(folder) && cd \(folder) && for n in 1 2; do ffmpeg -v error -y -f lavfi"
                    + " -i testsrc2=s=160x90:r=25 -f lavfi -i sine=f=${n}40:r=48000 -t 1.2 -c:v libx264"
                    + " -preset ultrafast -b:v 250k -g 25 -pix_fmt yuv420p -c:a aac -b:a 48k"
                    + " -movflags +faststart ad$n.mp4 || exit 1; done"
                    + " && ffmpeg -v error -y -stream_loop 3 -i ad1.mp4 -c copy -movflags +faststart long.mp4"
                    // Longer than a test waits for anything.
                    + " && ffmpeg -v error -y -f lavfi -i testsrc2=s=32x32:r=1 -t 600 -c:v libx264"
                    + " -preset ultrafast -pix_fmt yuv420p -movflags +faststart endless.mp4"
            ) == 0
        return made ? folder : nil
    }()

    private static func copy(from: String, to: String) throws {
        try #require(unsafe system("cp --remove-destination \(from)/*.mp4 \(to)/") == 0)
    }
}
