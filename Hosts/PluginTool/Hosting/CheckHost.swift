internal import CPluginTool
internal import Coordinator
internal import EventModel
internal import Glibc
internal import PluginABI
internal import PluginKit
internal import System
internal import TallyTesting
internal import TextEncoding

/// The host's side of one instance: it offers all that a host can, keeps what the plugin says as lines of text, and
/// what it does that no plugin may.
///
/// It answers by a real host's rules. What it lends it can write over when the call has returned, and what it offers it
/// can refuse.
@safe package final class CheckHost {
    /// A rule of the headers that a plugin broke by what it called.
    enum Breach: Equatable, Sendable {
        /// It called a function of the host in `create`.
        case inCreate(String)
        /// It called one that works inside of calls alone outside of any, or while it was disabled.
        case outsideOfCall(String)
        /// It called one from a thread that is not the caller's.
        case onOtherThread(String)
        /// It emitted what is no whole block within the limits.
        case badBlock(String)
        /// It handed over text that is no UTF-8.
        case badText(String)
        /// It started more timers within its calls than any interval explains.
        case timerStorm(String)
    }

    // MARK: - What the check decides

    /// Extensions that are not offered.
    var withheld: Set<String> = []
    /// What each function that returns a status returns instead of doing anything; nil when they work.
    var refusal: tally_status?
    /// Whether what was lent is given back when a call has returned.
    ///
    /// Otherwise it stays, so that no crash hides a late look.
    var givesBack = false
    /// Whether what was lent is written over when a call has returned.
    var overwrites = false
    /// Whether the times of calls have nothing of what others did on the processor meanwhile.
    var leavesOutWaits = false
    /// Whether events are those of a newer host, with a longer header and a longer state.
    var growsEvents = false
    /// Whether what is lent ends where no memory is.
    var lendsBeforeGap = false
    /// The instance's name.
    var instance = "check"
    /// The player run's id.
    var runID = "check-run"

    // MARK: - What the plugin did

    /// What it said, one line each, with the time.
    var transcript: [String] = []
    /// The rules that it broke.
    var breaches: [Breach] = []
    /// The lines that it logged and the errors that it explained.
    var words: [String] = []
    /// The errors that it explained by `set_error`.
    var faults: [String] = []
    /// What it explained in a call that returns nothing.
    var unreturned: [String] = []
    /// The answers to flushes: token, delivered, kept, dropped.
    var flushed: [[UInt64]] { fromAnyThread.with { $0 } }
    /// The calls in which it changed the event that it was lent.
    var changedEvents: [String] = []
    /// What the calls say of the player.
    var player = FakePlayer()
    /// The calls in order, each with its time in ns.
    var callTimes: [(name: String, time: Int64)] = []

    // MARK: - Where it stands

    /// Run time, us.
    var time: Int64 = 0
    /// The session that is open, 0 for none.
    var session: UInt32 = 0
    var sessionCount: UInt32 = 0
    var ordinal: UInt64 = 0
    var recordCount: UInt64 = 0
    var timers = TimerQueue()
    var startedTimers = 0
    var random = SplitMix64(seed: 7)
    /// The call that goes on.
    var call: String?
    var caller: pthread_t = pthread_self()
    /// Whether emitting, timers, random numbers and values work.
    var isServing = false
    let fromAnyThread = Lock<[[UInt64]]>([])
    let anyThreadBreaches = Lock<[Breach]>([])

    let entry: UnsafePointer<tally_entry>
    let id: String
    let isReporter: Bool
    let storeKeys: [String]
    let structure: UnsafeMutablePointer<tally_host>
    /// The instance, nil before `create` and after `destroy`.
    var plugin: UnsafePointer<tally_plugin>?
    private let process = getpid()

    /// Prepares a host for the subject's plugin; nothing is made yet.
    init(_ subject: Subject) throws(Finding) {
        let descriptor = unsafe try subject.descriptor()
        unsafe entry = try subject.entry()
        id = unsafe String(cString: descriptor.pointee.id)
        isReporter = unsafe descriptor.pointee.kind == TALLY_KIND_REPORTER
        storeKeys = unsafe Subject.list(descriptor.pointee.store_keys) ?? []
        unsafe structure = .allocate(capacity: 1)
        unsafe structure.initialize(to: HostFunctionTables.host(data: nil))
        unsafe structure.pointee = HostFunctionTables.host(data: Unmanaged.passRetained(self).toOpaque())
    }

    /// Gives back what the host holds, once the instance is destroyed.
    func release() {
        guard let data = unsafe structure.pointee.host_data else { return }
        unsafe structure.deallocate()
        unsafe Unmanaged<CheckHost>.fromOpaque(data).release()
    }

    /// All rules that were broken, those of other threads last.
    var allBreaches: [Breach] { breaches + anyThreadBreaches.with { $0 } }

    /// Makes a call into the plugin: by its name, and on whatever thread this is called.
    func calling<Result>(_ name: String, serving: Bool, _ body: () -> Result) -> Result {
        call = name
        caller = pthread_self()
        isServing = serving
        CallPlace.shared.set(name)
        let waited = leavesOutWaits ? RunQueue.waitOfThisThread : 0
        let start = SystemTime.nanoseconds()
        let result = body()
        // A copy of the process that the plugin made in the call goes no further.
        if getpid() != process { _exit(0) }
        let time = SystemTime.nanoseconds() - start
        callTimes.append((name, time - (leavesOutWaits ? RunQueue.waitOfThisThread - waited : 0)))
        call = nil
        CallPlace.shared.set("")
        isServing = false
        return result
    }

    /// Looks whether a function of the host may be called now; only what is not `open` is bound to a call.
    func admit(_ function: String) -> Bool {
        guard pthread_equal(caller, pthread_self()) != 0 || call == nil else {
            anyThreadBreaches.with { $0.append(.onOtherThread(function)) }
            return false
        }
        guard let call else {
            anyThreadBreaches.with { $0.append(.outsideOfCall(function)) }
            return false
        }
        if call == "create" { breaches.append(.inCreate(function)) }
        if !isServing { breaches.append(.outsideOfCall("\(function) in \(call)")) }
        return isServing
    }
}
