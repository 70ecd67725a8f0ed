internal import CLinux
internal import Coordinator
internal import Glibc
internal import PluginABI
internal import PluginLoading
internal import Reporting
internal import System

/// The process of one reporter: an instance that is called as the player says, and the way back of what it answers.
///
/// It opens nothing by itself but what its plugin's descriptor declares: the rest is open when it begins.
@safe package final class ReporterProcess {
    private let memory: SharedMemory
    private let channel: FileDescriptor
    private let mouth: ReporterMouth
    private let link: ReporterLink
    private let reporter: LoadedReporter

    /// Pools of memory that its threads share: each more takes 64 MiB of the address space.
    private static let pools: Int32 = 2

    /// Does what the process was started for, and ends it, when that is to run a reporter.
    package static func runIfOrdered(_ confinement: ProcessConfinement) {
        let place = "/proc/self/fd/\(ReporterOrders.Descriptor.orders.rawValue)"
        guard let text = try? WholeFile.read(place), let orders = ReporterOrders(text) else { return }
        guard let memory = try? SharedMemory(descriptor: ReporterOrders.Descriptor.outputs.rawValue, isReadOnly: true)
        else { _exit(64) }
        tally_limit_allocator_pools(pools)
        let mouth = ReporterMouth(FileDescriptor(ReporterOrders.Descriptor.channel.rawValue))
        do throws(ProcessConfinement.Failure) {
            let process = try ReporterProcess(orders, memory, mouth, confinement)
            process.answer(text: PluginCommand.text(of: process.reporter.commands))
            process.loop()
        } catch {
            mouth.refuse(error.reason, error.kind)
        }
        _exit(0)
    }

    private init(
        _ orders: ReporterOrders,
        _ memory: SharedMemory,
        _ mouth: ReporterMouth,
        _ confinement: ProcessConfinement
    ) throws(ProcessConfinement.Failure) {
        let entry = try confinement.load(
            orders.plugin,
            PluginCandidate(path: orders.path, descriptor: ReporterOrders.Descriptor.library.rawValue),
            within: orders.allowance,
            parent: orders.player
        )
        let log = PluginLog { _, level, text in mouth.log(level, text) }
        link = ReporterLink(name: orders.instance, log: log, flags: orders.goesOn ? TALLY_HOST_GOES_ON : 0)
        link.onReady = { mouth.say(ReporterWord(.ready)) }
        do throws(PluginError) {
            reporter = try LoadedReporter(entry, orders.configuration, link)
        } catch {
            throw ProcessConfinement.Failure(error)
        }
        self.memory = memory
        self.mouth = mouth
        channel = FileDescriptor(ReporterOrders.Descriptor.channel.rawValue)
    }

    private func loop() {
        while let call = try? channel.receive(ReporterCall(.destroy)),
            let kind = ReporterCall.Kind(rawValue: call.kind)
        {
            handle(kind, call)
            if kind == .destroy { return }
        }
    }

    private func handle(_ kind: ReporterCall.Kind, _ call: ReporterCall) {
        switch kind {
        case .enable: answer(reporter.enable())
        case .disable:
            reporter.disable()
            answer()
        case .destroy:
            reporter.destroy()
            answer()
        case .configure: answer(reporter.configure(texts(call, 1)[0]))
        case .command:
            let texts = texts(call, 2)
            switch reporter.run(command: texts[0], arguments: texts[1]) {
            case .success(let text): answer(text: text)
            case .failure(let error): answer(error)
            }
        case .take: take(call)
        case .flush: flush(call)
        }
    }

    private func take(_ call: ReporterCall) {
        let bytes = unsafe OutputBytes(copying: UnsafeRawBufferPointer(start: memory.start, count: Int(call.bytes)))
        guard let outputs = unsafe bytes.outputs(at: call.list, count: Int(call.count), base: call.base) else {
            return mouth.refuse("what the player gave is damaged", .other, wanted: reporter.wanted)
        }
        let outcome = unsafe reporter.take(outputs)
        if outcome.lost > 0 {
            mouth.refuse(outcome.error, .other, wanted: reporter.wanted)
        } else {
            answer(taken: outcome.taken)
        }
    }

    private func flush(_ call: ReporterCall) {
        let token = link.expect { [mouth] answer in
            var word = ReporterWord(.flushed)
            word.token = call.token
            (word.delivered, word.kept, word.dropped) = (answer.delivered, answer.kept, answer.dropped)
            mouth.say(word)
        }
        if let token {
            let runID = texts(call, 1)[0]
            reporter.flush(SessionFlush(token: token, runID: runID, session: call.session, budget: call.budget))
        }
        answer()
    }

    private func texts(_ call: ReporterCall, _ count: Int) -> [String] {
        unsafe TextList.texts(UnsafeRawBufferPointer(start: memory.start, count: Int(call.bytes)), count: count)
    }

    private func answer(text: String = "", taken: Int = 0) {
        var word = ReporterWord(.answer)
        word.token = UInt64(reporter.wanted)
        word.number = Int64(taken)
        mouth.say(word, text)
    }

    private func answer(_ error: PluginError?) {
        guard let error else { return answer() }
        mouth.refuse(error.reason, Refusal(error), wanted: reporter.wanted)
    }
}

/// The way back to the player; any thread of a plugin may speak.
final class ReporterMouth: Sendable {
    private let channel: FileDescriptor
    private let turn = Lock(0)

    init(_ channel: FileDescriptor) { self.channel = channel }

    /// Says something.
    func say(_ word: ReporterWord, _ text: String = "") {
        let text = Array(text.utf8.prefix(ReporterWord.longest))
        var word = word
        word.count = UInt64(text.count)
        let head = unsafe withUnsafeBytes(of: word) { unsafe Array($0) }
        turn.with { count in
            count &+= 1
            unsafe (head + text).withUnsafeBytes { unsafe try? channel.writeAll($0) }
        }
    }

    /// Says that something is refused, and why.
    func refuse(_ reason: String, _ kind: Refusal, wanted: UInt32 = 0) {
        var word = ReporterWord(.answer)
        word.flag = UInt32(kind.rawValue) + 1
        word.token = UInt64(wanted)
        say(word, reason)
    }

    /// Says a line of the log.
    func log(_ level: Int32, _ text: String) {
        var word = ReporterWord(.log)
        word.flag = UInt32(bitPattern: level)
        say(word, String(text.prefix(4096)))
    }
}
