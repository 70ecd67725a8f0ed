import EventModel
import TextEncoding

// Compiled into one module with Core/Archive, so that it reaches the cursor below the decoder. See Tests/Fuzz/run.

@_silgen_name("tally_fuzz_simdjson")
private func simdjsonProblem(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32

@_silgen_name("tally_fuzz_simdjson_number_error")
private func simdjsonNumberError() -> Int32

/// Takes bytes from the fuzzer and stops the process when a rule is broken.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchiveLine(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let data = unsafe data, count > 0, count <= ArchiveFormat.longestLine else { return 0 }
    // Exactly as many bytes as the line has, so that the sanitizer sees each access beyond it. A line has no line break.
    let line = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    defer { unsafe line.deallocate() }
    for place in 0..<count {
        unsafe line[place] = data[place] == 0x0A ? 0x20 : data[place]
    }
    unsafe LineFuzz.shared.check(UnsafeRawBufferPointer(start: line, count: count), line)
    return 0
}

/// The rules that every line must keep.
private final class LineFuzz {
    nonisolated(unsafe) static let shared = LineFuzz()

    private let lasting = ArchiveLineDecoder()
    private let scratch = ByteBuffer()

    func check(_ line: UnsafeRawBufferPointer, _ start: UnsafePointer<UInt8>) {
        let problem = unsafe simdjsonProblem(start, line.count)
        let fresh = ArchiveLineDecoder()
        let taken = unsafe take(fresh, line)
        require(unsafe take(lasting, line) == taken, "what came before decides whether a line is taken")
        require(unsafe !taken || problem == 0 || isBeyondSimdjson(problem, line), "taken, but no JSON")
        unsafe checkForm(line, problem)
    }

    /// Decodes a line; an event must survive being written and read again.
    private func take(_ decoder: ArchiveLineDecoder, _ line: UnsafeRawBufferPointer) -> Bool {
        guard let read = unsafe try? decoder.decode(line) else { return false }
        if case .event(let event) = read {
            let difference = unsafe RoundTripCheck.difference(event, report: event.state.raw)
            require(difference == nil, difference ?? "")
        }
        return true
    }

    /// The cursor's idea of JSON against simdjson's.
    private func checkForm(_ line: UnsafeRawBufferPointer, _ problem: Int32) {
        guard unsafe isValidUTF8(line) else { return require(problem != 0, "simdjson takes what is not UTF-8") }
        var cursor = unsafe LineCursor(line)
        _ = unsafe cursor.skipValue(scratch)
        let isJSON = cursor.problem == nil && cursor.isAtEnd()
        if isJSON {
            require(unsafe problem == 0 || isBeyondSimdjson(problem, line), "the cursor takes what is no JSON")
        } else {
            require(problem != 0 || cursor.problem?.text == "nested too deep", "the cursor refuses JSON")
        }
    }

    /// Where the two differ on purpose: half surrogate pairs, which become U+FFFD, and integers beyond 64 bits.
    private func isBeyondSimdjson(_ problem: Int32, _ line: UnsafeRawBufferPointer) -> Bool {
        var digits = 0
        for place in line.indices {
            let byte = unsafe line[place]
            digits = byte &- 0x30 <= 9 ? digits + 1 : 0
            if digits > 18, problem == simdjsonNumberError() { return true }
            if byte == UInt8(ascii: "\\"), place + 3 < line.count, unsafe line[place + 1] == UInt8(ascii: "u"),
                unsafe line[place + 2] | 0x20 == UInt8(ascii: "d")
            {
                return true
            }
        }
        return false
    }

    private func require(_ holds: Bool, _ rule: String) {
        if !holds {
            fatalError(rule)
        }
    }
}
