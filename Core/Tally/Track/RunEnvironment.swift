package import Coordinator
package import System

/// What a player run takes from outside: its name, its clock, and in tests its pace and its delays.
package struct RunEnvironment: Sendable {
    /// Names and dates the run.
    package let description: RunDescription
    /// The run's clock.
    package let clock: any RunClock
    /// Whether the run goes on only when it is pumped.
    package let pumped: Bool
    /// Delays for tests.
    package let perturbation: LivePerturbation?
    /// Whether the run keeps its delegate, whose maker has given it up.
    let keepsDelegate: Bool

    package init(
        description: RunDescription,
        clock: any RunClock,
        pumped: Bool = false,
        perturbation: LivePerturbation? = nil,
        keepsDelegate: Bool = false
    ) {
        self.description = description
        self.clock = clock
        self.pumped = pumped
        self.perturbation = perturbation
        self.keepsDelegate = keepsDelegate
    }

    /// A real run that begins now, or began so many us ago, with a new id of 12 letters and digits.
    package static func live(
        startedAgo: Int64 = 0,
        perturbation: LivePerturbation? = nil,
        keepsDelegate: Bool = false
    ) -> RunEnvironment {
        let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")
        var random = SystemRandomNumberGenerator()
        var id = ""
        for _ in 0..<12 {
            id.append(letters[Int(random.next(upperBound: UInt64(letters.count)))])
        }
        return RunEnvironment(
            description: RunDescription(id: id, epoch: SystemTime.wall() - startedAgo),
            clock: BootTimeClock(startedAgo: startedAgo),
            perturbation: perturbation,
            keepsDelegate: keepsDelegate
        )
    }
}
