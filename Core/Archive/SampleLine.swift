internal import EventModel
internal import PluginABI

/// Reads the lines that most of an archive is made of: playhead samples, in the very form in which Tally writes them.
///
/// It only saves time. What it does not take is left to ``ArchiveLineDecoder``, which reads all of JSON and would make
/// the same block of a line that is taken here. Where a line ends shows as it is read, so nobody has to look for that
/// before.
@safe struct SampleLine {
    /// Bytes that a line may have behind its run, all digits included.
    private static let longest = 192

    /// The run's number of this line.
    private(set) var ordinal: Int64 = 0
    /// The block that a sample is written into.
    let block: UnsafeMutablePointer<tally_event>
    /// The same with nothing filled in.
    private let template: UnsafeMutablePointer<Template>

    /// Header and state, which stand at a block's beginning.
    private typealias Template = (header: tally_event, state: tally_state)

    init() {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: Limits.eventBytes, alignment: 8)
        var writer = unsafe BlockWriter(base: memory, capacity: Limits.eventBytes)
        unsafe writer.state.pointee.known = TALLY_KNOWN_PLAYHEAD
        _ = writer.finish(type: .playheadSample)
        unsafe block = writer.header
        unsafe template = .allocate(capacity: 1)
        unsafe template.initialize(to: UnsafeRawPointer(memory).load(as: Template.self))
    }

    func deallocate() {
        unsafe block.deallocate()
        unsafe template.deallocate()
    }

    /// Takes a line that begins with `prefix`, which ends before the line's number; nil when it is in another form.
    ///
    /// - Returns: what follows the line's break.
    @inline(__always)
    mutating func decode(
        _ start: UnsafePointer<UInt8>,
        until end: UnsafePointer<UInt8>,
        prefix: UTF8Text
    ) -> UnsafePointer<UInt8>? {
        guard unsafe end - start >= prefix.count &+ Self.longest, prefix.count > 0,
            unsafe Self.same(start, prefix.start, prefix.count)
        else { return nil }
        var next = unsafe start + prefix.count
        guard let number = unsafe Self.integer(&next), unsafe Self.consume(",\"t_us\":", &next),
            let time = unsafe Self.integer(&next),
            unsafe Self.consume(",\"event\":\"playhead_sample\",\"state\":{\"playhead_ms\":", &next),
            let playhead = unsafe Self.integer(&next)
        else { return nil }
        var known = TALLY_KNOWN_PLAYHEAD
        var adPlayhead: Int64 = 0
        var liveWall: Int64 = 0
        if unsafe next.pointee != UInt8(ascii: "}") {
            if unsafe Self.consume(",\"ad_playhead_ms\":", &next) {
                guard let value = unsafe Self.integer(&next) else { return nil }
                adPlayhead = value
                known |= TALLY_KNOWN_AD_PLAYHEAD
            }
            if unsafe Self.consume(",\"live_wall_ms\":", &next) {
                guard let value = unsafe Self.integer(&next) else { return nil }
                liveWall = value
                known |= TALLY_KNOWN_LIVE_WALL
            }
        }
        guard unsafe next[0] == UInt8(ascii: "}"), unsafe next[1] == UInt8(ascii: "}"), unsafe next[2] == 0x0A else {
            return nil
        }
        ordinal = number
        let target = unsafe UnsafeMutableRawPointer(block).assumingMemoryBound(to: Template.self)
        unsafe target.pointee = template.pointee
        unsafe target.pointee.header.time_us = time
        unsafe target.pointee.state.known = known
        unsafe target.pointee.state.playhead_ms = playhead
        unsafe target.pointee.state.reported_playhead_ms = playhead
        unsafe target.pointee.state.ad_playhead_ms = adPlayhead
        unsafe target.pointee.state.live_wall_ms = liveWall
        return unsafe next + 3
    }

    // MARK: - Parts

    /// Takes an integer without a sign, of at most 15 digits; reads up to 16 bytes.
    @inline(__always)
    private static func integer(_ next: inout UnsafePointer<UInt8>) -> Int64? {
        let first = unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt64.self) ^ 0x3030_3030_3030_3030
        let count = digits(first)
        guard count > 0, count == 1 || first & 0xFF != 0 else { return nil }
        var value = number(first, count)
        unsafe next += count
        if count == 8 {
            let second = unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt64.self) ^ 0x3030_3030_3030_3030
            let more = digits(second)
            guard more < 8 else { return nil }
            value = value &* power(more) &+ (more == 0 ? 0 : number(second, more))
            unsafe next += more
        }
        return Int64(bitPattern: value)
    }

    /// How many of eight bytes from the first on are below ten.
    @inline(__always)
    private static func digits(_ word: UInt64) -> Int {
        let others = ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
        return others.trailingZeroBitCount / 8
    }

    /// The number that the first digits of eight are, 1 to 8.
    @inline(__always)
    private static func number(_ digits: UInt64, _ count: Int) -> UInt64 {
        let word = digits &<< UInt64(64 &- 8 &* count)
        let pairs = word &* 10 &+ word &>> 8
        let even = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
        let odd = (pairs &>> 16 & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
        return (even &+ odd) &>> 32
    }

    @inline(__always)
    private static func power(_ count: Int) -> UInt64 {
        switch count {
        case 0: 1
        case 1: 10
        case 2: 100
        case 3: 1000
        case 4: 10_000
        case 5: 100_000
        case 6: 1_000_000
        default: 10_000_000
        }
    }

    /// Takes a literal of at least eight bytes if it comes next.
    @inline(__always)
    private static func consume(_ literal: StaticString, _ next: inout UnsafePointer<UInt8>) -> Bool {
        guard unsafe same(next, literal.utf8Start, literal.utf8CodeUnitCount) else { return false }
        unsafe next += literal.utf8CodeUnitCount
        return true
    }

    /// Whether `count` bytes are the same; at least eight.
    @inline(__always)
    private static func same(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var place = 0
        while place < count &- 8 {
            guard unsafe word(left, place) == word(right, place) else { return false }
            place &+= 8
        }
        return unsafe word(left, count &- 8) == word(right, count &- 8)
    }

    @inline(__always)
    private static func word(_ bytes: UnsafePointer<UInt8>, _ place: Int) -> UInt64 {
        unsafe UnsafeRawPointer(bytes + place).loadUnaligned(as: UInt64.self)
    }
}
