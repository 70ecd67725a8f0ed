/// A command line: a command, options with one value each, and files.
struct Arguments {
    static let help = """
        usage: tally-bench COMMAND [OPTION VALUE ...] [FILE]

        Each command runs one round and prints one line for each figure: name, value, unit, then key=value.
          make-reference-archive FILE [--events 1000000] [--seed 1]
          track-call --variant one-string|state-and-20 [--threads 1|4] [--calls 200000] [--lines dropped|kept]
          allocations [--calls 100000]
          replay-allocations [--plugin-dir .build/release]
          library-call --variant one-string|state-and-20 --plugin-dir DIR [--calls 200000]
          host-to-plugin [--events 2000000]
          state-snapshot [--calls 20000000]
          trace [--calls 20000000]
          replay FILE [--plugins NAME] [--plugin-dir DIR] [--name NAME]
                             none, example-c, a tracker, or new-relic-delivery: the tracker with delivery configured
          idle-runs [--count 5000] [--tracker NAME|none] [--plugin-dir DIR]
          replacement [--hours 4] [--plugins NAME] [--plugin-dir DIR] [--archive FILE]
          playback-cost MEDIA [--seconds 120] [--player FILE] [--folder DIR]
          isolation [--rate 1000|10000|most] [--at-once 1] [--tracker trivial|speaking] [--turns 12]
                    [--plugin-dir DIR]
          isolated-reporter [--outputs 1000000] [--plugin-dir DIR]
          isolation-latency [--events 20] [--plugin-dir DIR]
          delivery URL [--beacons 20000] [--connections 4] [--spool FILE] [--plugin-dir DIR]
          messages [--messages 300000] [--spool FILE] [--plugin-dir DIR]
          exports URL [--records 300000] [--spool FILE] [--plugin-dir DIR]
          waiting --spool FILE [--reporter http|kafka|otlp] [--beacons 1000000] [--begun no|yes] [--plugin-dir DIR]
          collector [--viewers 5000] [--seconds 40] [--tracker NAME|none] [--connections 8000] [--slow COUNT]
                    [--server collector|nginx] [--collector FILE] [--plugin-dir DIR] [--folder DIR]
          collector-memory [--viewers 5000] [--minutes 60] [--tracker NAME|none] [--connections 5000]
                    [--collector FILE] [--plugin-dir DIR] [--folder DIR]
          report FILE        medians, spreads, ratios and targets of the lines in FILE
        Exit codes: 0 the round counts, 64 wrong options, 66 a file cannot be used, 70 it cannot run,
        75 the round does not count and may be run again.
        """

    let command: String
    private var options: [String: String] = [:]
    private var files: [String] = []

    init(_ arguments: [String]) throws(BenchError) {
        command = arguments.first ?? ""
        var rest = arguments.dropFirst()
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--") else {
                files.append(argument)
                continue
            }
            guard let value = rest.popFirst() else { throw .missing("the value of \(argument)") }
            options[argument] = value
        }
    }

    /// Takes the one file.
    mutating func file() throws(BenchError) -> String {
        guard !files.isEmpty else { throw .missing("FILE") }
        return files.removeFirst()
    }

    /// Takes an option's text.
    mutating func text(_ name: String, or standard: String) -> String {
        options.removeValue(forKey: name) ?? standard
    }

    /// Takes an option that is one of a few words.
    mutating func word(_ name: String, of words: [String], or standard: String) throws(BenchError) -> String {
        let word = text(name, or: standard)
        guard words.contains(word) else {
            throw .badValue(option: name, value: word, wanted: words.joined(separator: " or "))
        }
        return word
    }

    /// Takes an option's number.
    mutating func number(_ name: String, or standard: Int) throws(BenchError) -> Int {
        guard let text = options.removeValue(forKey: name) else { return standard }
        guard let number = Int(text), number > 0 else {
            throw .badValue(option: name, value: text, wanted: "a whole number above 0")
        }
        return number
    }

    /// Refuses what was not taken.
    func finish() throws(BenchError) {
        if let option = options.keys.sorted().first ?? files.first {
            throw .unexpected(option)
        }
    }
}
