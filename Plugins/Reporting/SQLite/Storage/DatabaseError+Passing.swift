internal import Database

extension DatabaseError {
    /// Whether trying again later may help: no room, a failing device, or another program that is writing.
    var mayPass: Bool {
        switch kind {
        case .full, .device, .locked: true
        case .damaged, .other: false
        }
    }
}
