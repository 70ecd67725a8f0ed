import Glibc
import System

/// Waits until a condition holds, at most half a minute; whether it came to hold.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    let deadline = SystemTime.monotonic() + 30_000_000
    while SystemTime.monotonic() < deadline {
        if try condition() {
            return true
        }
        usleep(2_000)
    }
    return false
}
