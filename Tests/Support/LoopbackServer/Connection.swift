/// Serves one client until it leaves.
struct Connection {
    private let number: Int
    private let socket: Socket
    private let service: Service

    init(number: Int, socket: Socket, service: Service) {
        self.number = number
        self.socket = socket
        self.service = service
    }

    /// Answers requests until one of the two sides ends the connection.
    func run() {
        var reader = RequestReader(socket: socket)
        while true {
            switch reader.next() {
            case .closed:
                return
            case .bad(let status):
                _ = socket.send(head(Response(status: status), keepsAlive: false))
                return
            case .request(var request):
                request.connection = number
                guard answer(request) else {
                    return
                }
            }
        }
    }

    /// Answers a request and returns whether the connection can go on.
    private func answer(_ request: RecordedRequest) -> Bool {
        let arrival = MonotonicTime.now
        var faults = service.record(request)
        if let chosen = service.configuration.chooses?(request) {
            faults.merge(chosen)
        }
        if let delay = faults.latencyMilliseconds, !service.pause(seconds: Double(delay) / 1000) {
            return false
        }
        if faults.refuses {
            socket.reset()
            report(request, status: 0, sent: 0, promised: 0, since: arrival)
            return false
        }
        if let text = faults.rawAnswer {
            let isSent = socket.send(Array(text.utf8)[...])
            report(request, status: 0, sent: isSent ? text.utf8.count : 0, promised: 0, since: arrival)
            return false
        }
        var response = faults.replacement ?? resource(for: request, isWhole: faults.isChunked)
        response.change(by: faults)
        guard socket.send(head(response, keepsAlive: request.keepsAlive)) else {
            return false
        }
        guard request.method != "HEAD" else {
            report(request, status: response.status, sent: 0, promised: 0, since: arrival)
            return request.keepsAlive
        }
        let sent = send(response, faults)
        report(request, status: response.status, sent: sent, promised: response.span.count, since: arrival)
        guard sent == response.span.count else {
            if let stall = faults.stallAfter, stall <= response.span.lowerBound + sent {
                socket.waitForClose()
            }
            return false
        }
        return request.keepsAlive && faults.contentLength == nil
    }

    private func head(_ response: Response, keepsAlive: Bool) -> ArraySlice<UInt8> {
        response.head(keepsAlive: keepsAlive)[...]
    }

    private func resource(for request: RecordedRequest, isWhole: Bool) -> Response {
        switch request.method {
        case "POST":
            return service.configuration.onPost.map { Response($0(request)) } ?? .accepted()
        case "GET", "HEAD":
            guard !request.path.isEmpty else {
                return Response(status: 400)
            }
            switch service.root?.open(request.path) ?? .missing {
            case .found(let file):
                return Response(file: file, rangeHeader: isWhole ? nil : request.header("range"))
            case .missing: return Response(status: 404)
            case .forbidden: return Response(status: 403)
            }
        default:
            return Response(status: 405, headers: [("Allow", "GET, HEAD, POST")])
        }
    }

    /// Sends the body as far as faults and link allow and returns how many bytes went out.
    private func send(_ response: Response, _ faults: Faults) -> Int {
        let span = response.span
        let end = min(span.upperBound, faults.cutAfter ?? .max, faults.stallAfter ?? .max)
        var offset = span.lowerBound
        while offset < end {
            guard let count = service.waitForLink(upTo: end - offset) else {
                break
            }
            let bytes = response.bytes(at: offset, count: count)
            guard socket.send(response.framed(bytes)) else {
                break
            }
            offset += bytes.count
            guard bytes.count == count else {
                break
            }
        }
        if response.isChunked, offset == span.upperBound { _ = socket.send(response.framed([])) }
        return offset - span.lowerBound
    }

    private func report(_ request: RecordedRequest, status: Int, sent: Int, promised: Int, since arrival: MonotonicTime)
    {
        service.configuration.onAnswer?(
            Answer(
                request: request,
                status: status,
                bytesSent: sent,
                bytesPromised: promised,
                seconds: MonotonicTime.now.seconds - arrival.seconds
            )
        )
    }
}
