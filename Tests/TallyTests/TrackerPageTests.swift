import Isolation
import Testing

/// What the player's thread for trackers' processes is called for while it sleeps.
struct TrackerPageTests {
    private let page: TrackerPage

    init() throws { page = try TrackerPage(readFrom: 0) }

    @Test("A process that has said nothing does not wake the player for each event")
    func silence() {
        page.listen(for: .word)
        #expect(!page.mustCallPlayer(for: .progress))
        #expect(page.mustCallPlayer(for: .word))
    }

    @Test("Where something waits for its turn, a process that is done with a message wakes the player")
    func progress() {
        page.listen(for: .progress)
        #expect(page.mustCallPlayer(for: .progress))
        page.listen(for: .progress)
        #expect(page.mustCallPlayer(for: .word))
    }

    @Test("What the run says while the player's thread sleeps is waited for from then on")
    func saidMeanwhile() {
        page.listen(for: .word)
        page.listenForProgress()
        #expect(page.mustCallPlayer(for: .progress))
    }

    @Test("A thread is called once for each sleep, and never while it is awake")
    func once() {
        page.listen(for: .word)
        #expect(page.mustCallPlayer(for: .word))
        #expect(!page.mustCallPlayer(for: .word))
        page.listenForProgress()
        #expect(!page.mustCallPlayer(for: .progress))
        page.listen(for: nil)
        page.listenForProgress()
        #expect(!page.mustCallPlayer(for: .word))
    }
}
