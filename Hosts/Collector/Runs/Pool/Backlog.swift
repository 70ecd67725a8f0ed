internal import System

/// What was taken of players and is not done yet, by tenant: memory that is bounded, and shared fairly.
///
/// A tenant may have as much waiting as is still free. So one that floods stops at half of all, two at a third each,
/// and there is always room for others. One that is alone may have all of it. Any thread.
package final class Backlog: Sendable {
    private struct State {
        var bytes = 0
        var ofTenant: [String: Int] = [:]
    }

    private let limit: Int
    private let isShared: Bool
    private let state = Lock(State())

    /// For `limit` bytes, which several tenants share or one has alone.
    package init(limit: Int, isShared: Bool) {
        self.limit = limit
        self.isShared = isShared
    }

    /// Whether something of a tenant may be taken.
    package func hasRoom(for tenant: String) -> Bool {
        state.with { state in
            let free = limit - state.bytes
            return isShared ? state.ofTenant[tenant, default: 0] < free : free > 0
        }
    }

    /// Whether nothing of anybody may be taken.
    package var isFull: Bool { state.with { $0.bytes >= limit } }

    /// Bytes that wait.
    package var bytes: Int { state.with { $0.bytes } }

    /// Bytes that wait, by tenant; those of which nothing waits are left out.
    package var bytesOfTenants: [String: Int] { state.with { $0.ofTenant } }

    /// Adds what was taken.
    package func add(_ reports: ReceivedReports) { change(reports.key.tenant, by: reports.cost) }

    /// Removes what is done, or was not taken after all.
    package func remove(_ reports: ReceivedReports) { change(reports.key.tenant, by: -reports.cost) }

    private func change(_ tenant: String, by bytes: Int) {
        state.with { state in
            state.bytes += bytes
            let left = state.ofTenant[tenant, default: 0] + bytes
            state.ofTenant[tenant] = left == 0 ? nil : left
        }
    }
}
