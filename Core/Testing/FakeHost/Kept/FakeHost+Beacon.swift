public import PluginKit

extension FakeHost {
    /// A beacon that a tracker emitted.
    public struct Beacon: Sendable, Equatable {
        /// A header of the request.
        public struct Header: Sendable, Equatable {
            /// The name.
            public let name: String
            /// The value.
            public let value: String

            /// Makes a header.
            public init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// When it was emitted, us since the run's start.
        public var time: Int64 = 0
        /// A lasting key for order, back-off and credentials.
        public var destination: String
        /// The HTTP method.
        public var method: String
        /// The address.
        public var url: String
        /// The body, which can be any bytes.
        public var body: [UInt8]
        /// The headers, in order.
        public var headers: [Header] = []
        /// The secret to add, by name; empty when there is none.
        public var credential = ""
        /// The places that are written over when it is sent.
        public var patches: [BeaconView.Patch] = []
        /// The numbers of the records that it carries.
        public var records: [UInt64] = []
        /// How it wants to be treated.
        public var options: BeaconOptions = []
        /// How old it may become before it is dropped, s; 0 leaves that to the reporter.
        public var maximumAgeSeconds: Int64 = 0

        /// Makes a beacon, to compare with or to hand to a reporter.
        public init(destination: String, method: String = "POST", url: String, body: [UInt8] = []) {
            self.destination = destination
            self.method = method
            self.url = url
            self.body = body
        }

        /// Copies what a plugin lends.
        init(_ view: BeaconView, time: Int64) {
            self.time = time
            destination = view.destination.string
            method = view.method.string
            url = view.url.string
            body = unsafe Array(view.body.bytes)
            headers = (0..<view.headerCount).map { index in
                let header = view.header(index)
                return Header(header.name.string, header.value.string)
            }
            credential = view.credential.string
            patches = view.patches
            records = view.records
            options = view.options
            maximumAgeSeconds = view.maximumAgeSeconds
        }

        /// The body as text; bytes that are not UTF-8 are replaced.
        public var bodyText: String { String(decoding: body, as: UTF8.self) }
    }
}
