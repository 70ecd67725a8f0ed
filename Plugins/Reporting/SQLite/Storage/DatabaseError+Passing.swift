internal import Database

extension DatabaseError {
    /// Whether trying again later may help: no room, a failing device, or another program that is writing.
    var mayPass: Bool {
        switch kind {
        case .full, .device: true
        case .damaged: false
        // SQLITE_BUSY and SQLITE_LOCKED.
        case .other: [5, 6].contains(code & 0xFF)
        }
    }
}
