package import Coordinator
package import PluginLoading
package import System

/// Why something that was asked at run time was not done; nothing has changed.
public struct ControlError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of problem it is; those of commands as text come first.
    public enum Kind: String, CaseIterable, Sendable {
        /// The message is no JSON object with a command.
        case invalidMessage = "invalid_message"
        /// The message is longer than a message may be.
        case messageTooLong = "message_too_long"
        /// There are as many clients as there may be.
        case tooManyClients = "too_many_clients"
        /// No command has this name.
        case unknownCommand = "unknown_command"
        /// An argument is missing, too many, or not what it must be.
        case invalidArgument = "invalid_argument"
        /// A configuration does not fit the plugin's schema, or the configuration file is wrong.
        case invalidConfiguration = "invalid_configuration"
        /// There is nothing that could do this here.
        case unavailable
        /// No plugin instance has the name, or no plugin the id.
        case unknownPlugin = "unknown_plugin"
        /// The plugin has no such command, or takes no commands or configuration while it runs.
        case notOffered = "not_offered"
        /// The plugin refused: what it said is in the text.
        case refused
        /// The file is not trusted, no plugin, or for another machine or ABI.
        case badFile = "bad_file"
        /// The file is quarantined by its hash.
        case quarantined
        /// An instance of the name, or a plugin of the id, is there already.
        case duplicate
        /// The list of plugins is fixed.
        case fixed
        /// The change is larger than an archive's line can be.
        case tooLarge = "too_large"
        /// The run is over.
        case ended
        /// The plugin's thread did not come to it in time.
        case timedOut = "timed_out"
        /// The caller is a thread that would have to wait for itself.
        case wrongThread = "wrong_thread"
    }

    /// What kind of problem it is.
    public let kind: Kind
    /// The plugin instance that it concerns, where a text says so by beginning with its name.
    private let instance: String?
    /// What happened and what to do, for a text that names the instance already.
    package let reason: String
    /// What happened, where, and what to do.
    public var description: String { instance.map { "\($0): \(reason)" } ?? reason }

    /// An error with a sentence.
    public init(kind: Kind, _ description: String) {
        self.init(kind, nil, description)
    }

    private init(_ kind: Kind, _ instance: String?, _ reason: String) {
        self.kind = kind
        self.instance = instance
        self.reason = reason
    }

    /// Whether both say the same.
    public static func == (one: ControlError, other: ControlError) -> Bool {
        one.kind == other.kind && one.description == other.description
    }

    package init(_ error: PluginError) {
        let kind: Kind =
            switch error {
            case .unknown, .noInstance, .notRecorded, .severalNotRecorded: .unknownPlugin
            case .notOffered, .noCommand: .notOffered
            case .createRefused, .failed, .noOpenRun, .recordedSet, .refusedElsewhere, .notFollowed:
                .refused
            case .duplicate, .inUse, .duplicateInstance: .duplicate
            case .unarchivable: .tooLarge
            case .quarantined: .quarantined
            case .fixed: .fixed
            case .noAnswer: .timedOut
            default: .badFile
            }
        self.init(kind, error.instance, error.reason)
    }

    package init(_ error: TelemetryError) {
        self.init(.refused, error.instance, error.reason)
    }

    /// A hash, or the beginning of one, that does not say which file of the quarantine is meant.
    init(hash: String, fits found: [PluginQuarantine.Entry], in entries: [PluginQuarantine.Entry]) {
        let fewest = PluginQuarantine.fewestDigits
        let named = (found.isEmpty ? entries : found).map(\.name).joined(separator: ", ")
        let problem =
            if entries.isEmpty {
                "the quarantine is empty: no file has to be released"
            } else if hash.utf8.count < fewest {
                "\"\(hash)\" has fewer than \(fewest) digits of a hash; in the quarantine: \(named)"
            } else if found.isEmpty {
                "no file in the quarantine has a SHA-256 that begins with \(hash); in it: \(named)"
            } else {
                "\(found.count) files in the quarantine have a SHA-256 that begins with \(hash): \(named); give more digits"
            }
        self.init(kind: .unknownPlugin, problem)
    }

    package init(_ failure: JobFailure, instance: String) {
        switch failure {
        case .ended: self.init(.ended, instance, "the player run is over")
        case .timedOut: self.init(PluginError.noAnswer(instance: instance))
        case .onOwnThread: self.init(.wrongThread, instance, "asked on the thread that would have to answer")
        }
    }

    /// Whether a change was made is not known: the run's thread did not say.
    package static func notConfirmed(
        _ failure: JobFailure,
        instance: String,
        limit: Int64,
        isWithdrawn: Bool
    ) -> ControlError {
        guard failure == .timedOut else { return ControlError(failure, instance: instance) }
        let rest =
            isWithdrawn ? "the change is withdrawn, and nothing has changed" : "it has begun, and may still be made"
        return ControlError(
            .timedOut,
            instance,
            "not confirmed: a plugin has held up the run's thread for \(Double(limit) / 1000) s; \(rest)"
        )
    }

    /// Gives what `body` gives; an error of a plugin becomes one of a change.
    package static func converting<Answer>(_ body: () throws(PluginError) -> Answer) throws(ControlError) -> Answer {
        do throws(PluginError) {
            return try body()
        } catch {
            throw ControlError(error)
        }
    }

    /// Gives what a job on the thread of an instance or its run gives; that there is no answer becomes the error.
    package static func awaiting<Answer>(
        _ instance: String,
        _ body: () throws(JobFailure) -> Answer
    ) throws(ControlError) -> Answer {
        do throws(JobFailure) {
            return try body()
        } catch {
            throw ControlError(error, instance: instance)
        }
    }

    /// What changes gave in a run or in several: the trackers' answers, or why they were not made.
    package static func answers(
        to events: [ControlEvent],
        _ change: () throws(JobFailure) -> Result<[ControlAnswer], PluginError>
    ) throws(ControlError) -> [ControlAnswer] {
        let outcome = try awaiting(events.first?.instance ?? "", change)
        let answers = try converting(outcome.get)
        if let error = answers.lazy.compactMap(\.error).first { throw ControlError(error) }
        return answers
    }
}
