internal import Glibc
internal import SocketEvents

/// A connection to a server on this machine that never blocks; what is sent is kept until the system takes it.
struct ClientSocket {
    private(set) var descriptor: Int32 = -1
    private var pending: [UInt8] = []
    private var sent = 0
    private var received: [UInt8] = []

    /// What a server answered.
    struct Answer {
        let status: Int
        /// The number behind `"safe":`, nil where it says none.
        let safe: Int?
    }

    /// Whether there is still something to be sent.
    var isSending: Bool { sent < pending.count }

    /// Sending to a connection that is gone is an error, and no signal: Linux' MSG_NOSIGNAL.
    private static let noSignal: Int32 = 0x4000

    /// Connects, and has its changes known by a number at a place to wait at.
    mutating func connect(port: UInt16, events: Int32, number: Int) throws(BenchError) {
        disconnect()
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .refused("no socket: error \(errno)") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let done = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard done == 0 else { throw .refused("the server cannot be reached: error \(errno)") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard socket_events_add(events, descriptor, UInt32(number)) == 0 else {
            throw .refused("the socket cannot be waited for: error \(errno)")
        }
    }

    /// Forgets the connection.
    mutating func disconnect() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
        pending.removeAll()
        received.removeAll()
        sent = 0
    }

    /// Sends bytes once those before have gone; false when the connection is gone.
    mutating func send(_ bytes: [UInt8]) -> Bool {
        pending = bytes
        sent = 0
        return flush()
    }

    /// Sends what the system takes; false when the connection is gone.
    mutating func flush() -> Bool {
        while sent < pending.count {
            let count = unsafe pending.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[sent...])
                return unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Self.noSignal)
            }
            guard count > 0 else { return errno == EAGAIN }
            sent += count
        }
        pending.removeAll(keepingCapacity: false)
        sent = 0
        return true
    }

    /// Reads what has come, through a buffer of the caller's.
    ///
    /// - Returns: false when the connection is gone.
    mutating func read(_ buffer: inout [UInt8]) -> Bool {
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count < 0 { return errno == EAGAIN }
            if count == 0 { return false }
            received += buffer[..<count]
            if count < buffer.count { return true }
        }
    }

    /// Removes the first whole answer; nil when there is none.
    mutating func removeAnswer() -> Answer? {
        guard received.count > 12, let end = Self.find(Self.blank, in: received, from: 0),
            let place = Self.find(Self.length, in: received, from: 0)
        else { return nil }
        let body = end + Self.blank.count
        let count = Self.number(received, at: place + Self.length.count)
        guard received.count >= body + count else { return nil }
        let safe = Self.find(Self.safe, in: received, from: body)
        let answer = Answer(
            status: Self.number(received, at: 9),
            safe: safe.map { Self.number(received, at: $0 + Self.safe.count) }
        )
        received.removeAll(keepingCapacity: false)
        return answer
    }

    private static let blank = Array("\r\n\r\n".utf8)
    private static let length = Array("Content-Length: ".utf8)
    private static let safe = Array("\"safe\":".utf8)

    private static func find(_ word: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        guard bytes.count >= word.count + start else { return nil }
        return (start...(bytes.count - word.count)).first { place in
            bytes[place] == word[0] && bytes[place..<(place + word.count)].elementsEqual(word)
        }
    }

    private static func number(_ bytes: [UInt8], at start: Int) -> Int {
        var number = 0
        for byte in bytes[start...] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { break }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return number
    }
}
