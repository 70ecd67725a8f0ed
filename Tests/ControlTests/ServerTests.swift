import ChildPrograms
import Glibc
import HostSupport
import Testing
import TextEncoding

/// The control socket as clients meet it, good ones and bad ones.
struct ServerTests {
    @Test("Commands of one client are carried out in their order, each reply with its number")
    func order() throws {
        let socket = try ServedSocket()
        let client = try socket.connect()
        var text = ""
        for id in 0..<100 { text += "{\"command\":[\"seek\",\(id)],\"request_id\":\(id)}\n" }
        client.send(text)
        for id in 0..<100 {
            let reply = try client.line()
            #expect(reply["request_id"]?.int == Int64(id))
            #expect(reply["error"]?.string == "success")
        }
        client.send("{\"command\":[\"stats\"]}\r\n\n{\"command\":[\"stats\"],\"request_id\":\"x\"}\n")
        #expect(try client.line()["request_id"] == nil)
        #expect(try client.line()["request_id"]?.string == "x")
    }

    @Test("A client that sends no more gets its replies")
    func halfClosed() throws {
        let socket = try ServedSocket(slow: true)
        let client = try socket.connect()
        client.send(String(repeating: "{\"command\":[\"stats\"]}\n", count: 20))
        client.endSending()
        for _ in 0..<20 { #expect(try client.line()["error"]?.string == "success") }
        #expect(socket.wait { $0.clients == 0 })
    }

    @Test("A message that is too long is left out up to its end, and the next one counts")
    func tooLong() throws {
        var limits = ControlLimits()
        limits.messageBytes = 1000
        let socket = try ServedSocket(limits: limits)
        let client = try socket.connect()
        client.send(String(repeating: "x", count: 100_000) + "\n{\"command\":[\"stats\"],\"request_id\":1}\n")
        #expect(try client.line()["error"]?.string == "message_too_long")
        #expect(try client.line()["request_id"]?.int == 1)
        client.send("{\"command\":[\"custom\",\"\(String(repeating: "y", count: 990))\"]}\n")
        #expect(try client.line()["error"]?.string == "message_too_long")
        #expect(socket.wait { $0.invalid == 2 })
    }

    @Test("One client too many is told so and sent away")
    func tooMany() throws {
        var limits = ControlLimits()
        limits.clients = 2
        let socket = try ServedSocket(limits: limits)
        let clients = [try socket.connect(), try socket.connect()]
        #expect(socket.wait { $0.clients == 2 })
        let third = try socket.connect()
        #expect(try third.line()["error"]?.string == "too_many_clients")
        #expect(throws: RawClient.Failure.self) { try third.line() }
        #expect(clients[0].send("{\"command\":[\"stats\"]}\n"))
        #expect(try clients[0].line()["error"]?.string == "success")
    }

    @Test("A client that never reads is read no further, holds little memory, and is disconnected in the end")
    func neverReads() throws {
        var limits = ControlLimits()
        limits.patience = 300
        let socket = try ServedSocket(limits: limits)
        let deaf = try socket.connect()
        _ = fcntl(deaf.descriptor, F_SETFL, O_NONBLOCK)
        let other = try socket.connect()
        let flood = Array(String(repeating: "{\"command\":[\"stats\"]}\n", count: 1000).utf8)
        var most = 0
        let isSentAway = blocked {
            _ = unsafe Glibc.send(deaf.descriptor, flood, flood.count, Int32(MSG_NOSIGNAL))
            most = max(most, socket.server.statistics.unreadBytes)
            return socket.server.statistics.stalled == 1
        }
        #expect(isSentAway)
        #expect(most > 0 && most < limits.unreadBytes + limits.pending * 200)
        other.send("{\"command\":[\"stats\"],\"request_id\":5}\n")
        #expect(try other.line()["request_id"]?.int == 5)
    }

    @Test("10,000 mutated messages are each answered or left out, and none ends the server")
    func mutated() throws {
        var limits = ControlLimits()
        limits.messagesPerSecond = 1_000_000
        let socket = try ServedSocket(limits: limits)
        let client = try socket.connect()
        var random = SplitMix64(seed: 0x7A11_0003)
        let seeds = [
            "{\"command\":[\"plugin\",\"disable\",\"x\"],\"request_id\":1}", "{\"command\":[\"seek\",30]}",
            "{\"command\":[\"configure\",\"a\",{\"n\":[1,2.5,null,true]}],\"request_id\":\"q\"}",
            "{\"command\":[\"custom\",\"m\",\"k=v\"]}", "{\"command\":[\"plugin\",\"load\",\"a\",\"b\",{}]}",
        ].map { Array($0.utf8) }
        let end = UInt8(ascii: "\n")
        for round in 0..<10_000 {
            var message = seeds[Int(random.next() % UInt64(seeds.count))]
            for _ in 0...(random.next() % 4) {
                let place = Int(random.next() % UInt64(message.count))
                switch random.next() % 4 {
                case 0: message[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: message.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
                case 2: message.removeSubrange(place..<min(place + Int(random.next() % 8), message.count - 1))
                default: message += message[..<place]
                }
            }
            message.removeAll { $0 == end || $0 == UInt8(ascii: "\r") }
            guard !message.isEmpty, client.send(message + [end]) else { continue }
            let reply = try client.line()
            #expect(reply["error"]?.string != nil, "round \(round)")
        }
        client.send("{\"command\":[\"stats\"],\"request_id\":424242}\n")
        #expect(try client.line()["request_id"]?.int == 424_242)
        #expect(socket.server.statistics.invalid > 1000)
    }

    @Test("1,000 clients at one time are all served, and the memory that waits for them is bounded")
    func thousandClients() throws {
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8192)
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let socket = try ServedSocket()
        let clients = try (0..<1000).map { _ in try socket.connect() }
        #expect(socket.wait { $0.clients == 1000 })
        for round in 0..<3 {
            for (index, client) in clients.enumerated() {
                client.send("{\"command\":[\"seek\",\(index)],\"request_id\":\(round * 1000 + index)}\n")
            }
            for (index, client) in clients.enumerated() {
                #expect(try client.line()["request_id"]?.int == Int64(round * 1000 + index))
            }
        }
        #expect(socket.server.statistics.messages == 3000)
        #expect(socket.server.statistics.unreadBytes == 0)
    }

    @Test("A client that sends faster than it may is read later, and loses nothing")
    func rate() throws {
        var limits = ControlLimits()
        limits.messagesPerSecond = 50
        let socket = try ServedSocket(limits: limits)
        let client = try socket.connect()
        let begin = ContinuousClock.now
        client.send(String(repeating: "{\"command\":[\"stats\"]}\n", count: 100))
        for _ in 0..<100 { _ = try client.line() }
        // 50 are read at once, and 50 in a second: it can take longer, and never less.
        #expect(ContinuousClock.now - begin > .milliseconds(990))
        #expect(socket.server.statistics.messages == 100)
    }

    @Test("What a client sent faster than it may is answered too when nothing more comes", arguments: [false, true])
    func rest(ends: Bool) throws {
        var limits = ControlLimits()
        limits.messagesPerSecond = 10_000
        let socket = try ServedSocket(limits: limits)
        let client = try socket.connect()
        client.send(String(repeating: "{}\n", count: 12_000))
        if ends { client.endSending() }
        for _ in 0..<12_000 { _ = try client.line() }
        #expect(socket.server.statistics.messages == 12_000)
    }
}
