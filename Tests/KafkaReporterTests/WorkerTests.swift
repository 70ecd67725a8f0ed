import ChildPrograms
import Glibc
import KafkaBrokers
import KafkaClient
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// The workers of a consumer group, which share a topic of archive lines.
@Suite("Workers of tally-replay on a topic")
struct WorkerTests {
    /// A topic with runs, and the workers on it.
    private final class Workers {
        let run: KafkaRun
        private(set) var archives: [String] = []

        /// Writes so many runs to a topic of 4 partitions.
        init(runs: Int) throws {
            run = try KafkaRun()
            run.cluster.create(topic: "runs", partitions: 4)
            try add(runs)
        }

        /// Writes so many more.
        func add(_ count: Int) throws {
            for _ in 0..<count {
                try run.record(id: "run\(archives.count)")
                archives.append(run.archive)
            }
        }

        /// Records a run that the topic does not get; its archive.
        func hold(_ id: String) throws -> String {
            try run.record([:], id: id)
            archives.append(run.archive)
            return run.archive
        }

        /// Writes lines of a run.
        func write(_ lines: ArraySlice<String>, of id: String) throws {
            var settings = KafkaSettings()
            try settings.set("bootstrap.servers", run.cluster.addresses)
            let producer = try KafkaProducer(settings)
            for line in lines {
                let (key, value) = (Array(id.utf8), Array(line.utf8))
                unsafe key.withUnsafeBytes { key in
                    unsafe value.withUnsafeBytes { value in
                        let none = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
                        guard
                            case .queued = unsafe producer.produce(
                                1,
                                topic: "runs",
                                key: key,
                                value: value,
                                headers: none
                            )
                        else { return }
                    }
                }
            }
            while producer.count > 0 { _ = producer.poll(milliseconds: 100) }
        }

        /// The words of a worker that appends what is said to a file of its name.
        private func words(_ name: String, _ options: [String]) -> [String] {
            [
                run.address("runs") + "?group=workers&session.timeout.ms=6000&heartbeat.interval.ms=500",
                "--state", run.folder.file("state-\(name)"), "--plugins", "example-swift,jsonlines",
                "--plugin-dir", PluginFiles.folder, "--set", "plugins.jsonlines.config.append=true",
                "--set", "plugins.jsonlines.config.path=\"\(run.folder.file("out-\(name)"))\"", "--json",
            ] + options
        }

        func start(_ name: String, _ options: String...) throws -> ChildProgram {
            try ChildProgram("tally-replay", words(name, options))
        }

        func work(_ name: String, _ options: String...) async throws -> ChildProgram.Outcome {
            try await ChildProgram.run("tally-replay", words(name, options))
        }

        /// The outputs in a worker's file: those with a number.
        func outputs(_ names: String...) -> [String] {
            names.flatMap { name in
                ((try? TestFile.text(run.folder.file("out-\(name)"))) ?? "").split(separator: "\n").map(String.init)
                    .filter { $0.contains("\"n\":") }
            }
        }

        /// What a replay of the archives says, sorted.
        func expected() async throws -> [String] {
            var lines: [String] = []
            for archive in archives {
                let outcome = try await run.replay(archive, "--plugins", "example-swift,jsonlines", "--quiet")
                #expect(outcome.code == 0, "\(outcome)")
                lines += outcome.output.split(separator: "\n").map(String.init).filter { $0.contains("\"n\":") }
            }
            return lines.sorted()
        }
    }

    @Test("One worker says of each run once what a replay says, and another one finds nothing to do")
    func once() async throws {
        let workers = try Workers(runs: 6)
        let first = try await workers.work("a", "--until-end")
        #expect(first.code == 0, "\(first)")
        let expected = try await workers.expected()
        #expect(!expected.isEmpty)
        #expect(workers.outputs("a").sorted() == expected)
        let second = try await workers.work("b", "--until-end")
        #expect(second.code == 0, "\(second)")
        #expect(workers.outputs("b").isEmpty)
    }

    @Test("A run that one worker left open is replayed whole by the next, with another folder; what is over, once")
    func openRun() async throws {
        let workers = try Workers(runs: 2)
        let lines = try TestFile.text(try workers.hold("held")).split(separator: "\n").map(String.init)
        let middle = lines.count / 2
        try workers.write(lines[..<middle], of: "held")
        // Over behind the begin of the open one, in its partition: it is read again, and not replayed again.
        let beside = try TestFile.text(try workers.hold("beside")).split(separator: "\n").map(String.init)
        try workers.write(beside[...], of: "held")
        let first = try await workers.work("a", "--until-end")
        #expect(first.code == 0, "\(first)")
        #expect(try JSONParser().parse(first.errors)["left_open"]?.int == 1, "\(first.errors)")
        #expect(!workers.outputs("a").contains { $0.contains("\"held\"") })
        try workers.write(lines[middle...], of: "held")
        let second = try await workers.work("b", "--until-end")
        #expect(second.code == 0, "\(second)")
        #expect(try JSONParser().parse(second.errors)["runs"]?.int == 1, "\(second.errors)")
        #expect(try JSONParser().parse(second.errors)["known_runs"]?.int == 1, "\(second.errors)")
        #expect(workers.outputs("b").allSatisfy { $0.contains("\"held\"") })
        #expect(try await workers.outputs("a", "b").sorted() == workers.expected())
    }

    @Test("Of workers of which one is killed and one comes later, each run's outputs are there, with the same ids")
    func killed() async throws {
        let workers = try Workers(runs: 8)
        let (first, second) = (try workers.start("a"), try workers.start("b"))
        #expect(await eventually { !workers.outputs("a", "b").isEmpty })
        try workers.add(8)
        first.send(SIGKILL)
        let third = try workers.start("c")
        try workers.add(8)
        let expected = try await workers.expected()
        #expect(await eventually { Set(workers.outputs("a", "b", "c")).count >= expected.count })
        second.send(SIGTERM)
        third.send(SIGTERM)
        for worker in [second, third] {
            let outcome = try await worker.outcome()
            #expect(outcome.code == 0, "\(outcome)")
        }
        #expect(Set(workers.outputs("a", "b", "c")).sorted() == expected)
        let last = try await workers.work("d", "--until-end")
        #expect(last.code == 0, "\(last)")
        // What was delivered as the partitions were dealt out anew may not have been committed: it comes again as it was.
        #expect(Set(workers.outputs("d")).isSubset(of: expected), "\(last)")
    }

    @Test("What does not go with a worker is refused, with what to do")
    func refused() async throws {
        let run = try KafkaRun()
        run.cluster.create(topic: "runs", partitions: 1)
        let folder = run.folder.file("state")
        let topic = run.address("runs") + "?group=workers"
        let found = ["--plugin-dir", PluginFiles.folder]
        for (words, code, text) in [
            ([topic], 64, "--state"), (["--state", folder, run.address("runs")], 64, "?group=NAME"),
            ([topic + "&run=a", "--state", folder], 64, "without 'run'"),
            ([topic, "--state", folder], 64, "choose some with --plugins"),
            ([topic, "--state", folder, "--plugins", "mux-data"] + found, 78, "environmentKey"),
            (
                [topic, "--state", folder, "--plugins", "jsonlines", "--set", "plugins.jsonlines.config.path=out"]
                    + found,
                78, "set plugins.jsonlines.config.append or "
            ),
            ([topic, "--state", folder + "/no/such", "--plugins", "example-c"] + found, 73, "--state cannot be made"),
            (
                ["kafka://127.0.0.1:1/runs?group=a", "--state", folder, "--plugins", "example-c"] + found, 66,
                "no broker answers"
            ),
            (["cat", topic], 66, "'group'"),
        ] {
            let outcome = try await ChildProgram.run("tally-replay", words)
            #expect(Int(outcome.code) == code, "\(outcome)")
            #expect(outcome.errors.contains(text), "\(outcome)")
        }
    }

    @Test("Runs whose outputs cannot be delivered are not committed: the next worker replays them")
    func undelivered() async throws {
        let workers = try Workers(runs: 3)
        let full = try await workers.work("a", "--until-end", "--set", "plugins.jsonlines.config.path=/dev/full")
        #expect(full.code == 74, "\(full)")
        let next = try await workers.work("b", "--until-end")
        #expect(next.code == 0, "\(next)")
        #expect(try await workers.outputs("b").sorted() == workers.expected())
    }

    @Test("A run without an end is closed when its partition goes on for so long, and holds up nothing any more")
    func idle() async throws {
        let workers = try Workers(runs: 0)
        let held = try TestFile.text(try workers.hold("held")).split(separator: "\n").map(String.init)
        try workers.write(held.dropLast(), of: "held")
        let open = try await workers.work("a", "--until-end", "--run-idle-limit", "1")
        #expect(try JSONParser().parse(open.errors)["left_open"]?.int == 1, "\(open.errors)")
        // What the limit is compared with is when brokers got the lines.
        try await Task.sleep(for: .milliseconds(1_500))
        let other = try TestFile.text(try workers.hold("other")).split(separator: "\n").map(String.init)
        try workers.write(other[...], of: "held")
        let closed = try await workers.work("b", "--until-end", "--run-idle-limit", "1")
        #expect(closed.code == 0, "\(closed)")
        let summary = try JSONParser().parse(closed.errors)
        #expect(summary["left_open"]?.int == 0 && summary["idle_runs"]?.int == 1, "\(closed.errors)")
        #expect(workers.outputs("b").contains { $0.contains("\"held\"") })
        let last = try await workers.work("c", "--until-end", "--run-idle-limit", "1")
        #expect(try JSONParser().parse(last.errors)["replays"]?.int == 0, "\(last.errors)")
    }
}
