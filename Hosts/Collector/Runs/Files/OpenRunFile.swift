internal import Archive
internal import Coordinator
internal import EventModel
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import System
internal import TextEncoding

/// The file of a run that goes on: its archive's lines, and between them what a restart needs to know.
///
/// Lines that begin with `#` are no archive's: `#k` says whose run it is, `#r` and `#a` what its interpretation was
/// told, `#j` up to which entry of the journal all above is done, `#e` that the run is over. What stands behind the
/// last `#j` was cut off, and is done again from the journal.
enum OpenRunFile {
    /// What a file holds that is whole.
    struct Contents {
        /// Whose run it is.
        let key: RunKey
        /// The archive's lines.
        var lines: [UInt8] = []
        /// What the interpretation was told: `r` with a report, `a` for time that passed.
        var told: [(time: Int64, report: String?)] = []
        /// Up to where all is done.
        var place = RunPlace()
        /// Whether the run is over.
        var isOver = false
        /// How many bytes of it are whole.
        var bytes = 0
    }

    /// The first line of a file.
    static func keyLine(_ key: RunKey) -> String {
        let members: JSONObject = [
            "tenant": .string(key.tenant), "form": .string(key.form.word), "run": .string(key.name),
        ]
        return "#k \(JSONValue.object(members).canonicalText)\n"
    }

    /// Appends bytes to a file that has `count`; on failure it has as many as before.
    static func append(_ bytes: UnsafeRawBufferPointer, to path: String, at count: Int) throws(SystemFailure) {
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        do throws(SystemFailure) {
            unsafe try FileDescriptor(descriptor).writeAll(bytes)
        } catch {
            ftruncate(descriptor, off_t(count))
            throw error
        }
    }

    /// What a file holds.
    static func contents(of path: String) throws(SystemFailure) -> Contents {
        let bytes = try FileBytes.read(path)
        var contents: Contents?
        var done: Contents?
        var place = 0
        while let end = bytes[place...].firstIndex(of: 0x0A) {
            let line = bytes[place..<end]
            place = end + 1
            guard line.first == UInt8(ascii: "#") else {
                contents?.lines.append(contentsOf: line)
                contents?.lines.append(0x0A)
                continue
            }
            let text = String(decoding: line, as: UTF8.self)
            let rest = text.dropFirst(3)
            switch text.dropFirst().first {
            case "k": contents = key(String(rest)).map { Contents(key: $0) }
            case "r":
                let space = rest.firstIndex(of: " ") ?? rest.endIndex
                contents?.told.append((Int64(rest[..<space]) ?? 0, String(rest[space...].dropFirst())))
            case "a": contents?.told.append((Int64(rest) ?? 0, nil))
            case "j":
                contents?.place = RunPlace(String(rest))
                contents?.bytes = place
                done = contents
            case "e":
                contents?.isOver = true
                contents?.bytes = place
                done = contents
            default: break
            }
        }
        guard let done else { throw SystemFailure(number: ENODATA) }
        return done
    }

    private static func key(_ text: String) -> RunKey? {
        guard let json = try? JSONParser().parse(text), let tenant = json["tenant"]?.string,
            let form = json["form"]?.string.flatMap(ReportForm.init(word:)), let run = json["run"]?.string
        else { return nil }
        return RunKey(tenant: tenant, form: form, name: run)
    }

    /// Cuts off what is not whole.
    static func truncate(_ path: String, to count: Int) {
        unsafe Glibc.truncate(path, off_t(count))
    }

    /// Tells a coordinator the lines of a run.
    ///
    /// - Returns: the header, how many lines there were, and how many of them were events; nil when one cannot be read.
    static func replay(
        _ lines: [UInt8],
        into run: Coordinator
    ) -> (lines: Int, events: UInt64)? {
        let reader = ArchiveReader(source(of: lines))
        var isWhole = true
        var count = 0
        var events: UInt64 = 0
        var lastMark: Int64?
        while isWhole, let line = try? reader.next(damaged: { _ in isWhole = false }) {
            count += 1
            lastMark = nil
            switch line {
            case .header, .end: break
            case .event(let event):
                events += 1
                unsafe run.replay(UnsafeMutablePointer(mutating: event.raw))
            case .mark(let time):
                run.advance(before: time)
                run.reach(time)
                lastMark = time
            }
        }
        // A mark stands behind timers that spoke: they have fired.
        if let lastMark { run.advance(to: lastMark) }
        return isWhole ? (count, events) : nil
    }

    /// The plugins that joined a run, or took another's place in it, in their order.
    static func plugins(of lines: [UInt8]) -> [RecordedPlugin] {
        let reader = ArchiveReader(source(of: lines))
        var plugins: [RecordedPlugin] = []
        while let line = try? reader.next(damaged: { _ in }) {
            guard case .event(let event) = line, event.type == .pluginLoaded || event.type == .pluginReplaced else {
                continue
            }
            if let plugin = RecordedPlugin(event) { plugins.append(plugin) }
        }
        return plugins
    }

    /// The header of a run's lines.
    static func header(of lines: [UInt8]) -> ArchiveHeader? {
        let reader = ArchiveReader(source(of: lines))
        guard case .header(let header)? = try? reader.next(damaged: { _ in }) else { return nil }
        return header
    }

    private static func source(of lines: [UInt8]) -> ArchiveSource {
        var place = 0
        return unsafe ArchiveSource(path: "a run's file") { buffer throws(ArchiveSource.Failure) in
            let count = min(buffer.count, lines.count - place)
            unsafe buffer.copyBytes(from: lines[place..<(place + count)])
            place += count
            return count
        }
    }
}

/// How far a run has come.
struct RunPlace: Equatable, Sendable {
    /// The last entry of the journal that is done.
    var entry: UInt64 = 0
    /// Tally's own form: the number of the player's last line.
    var last: UInt64 = 0
    /// When something came for it last, us since 1970.
    var heard: Int64 = 0
    /// When it is to be looked at if nothing comes, us since 1970; 0 is never.
    var due: Int64 = 0

    init() {}

    init(_ text: String) {
        let numbers = text.split(separator: " ")
        guard numbers.count == 4 else { return }
        entry = UInt64(numbers[0]) ?? 0
        last = UInt64(numbers[1]) ?? 0
        heard = Int64(numbers[2]) ?? 0
        due = Int64(numbers[3]) ?? 0
    }

    /// The line that says so.
    var line: String { "#j \(entry) \(last) \(heard) \(due)\n" }
}
