package import PluginKit

/// `tally.command/1`: what the guide's application does with the agent and with a tracker that it got by its id.
extension NewRelicVideoTracker: CommandHandling {
    package static let commands: [CommandDescriptor] = TrackerCommand.allCases.map(\.descriptor)

    package func run(
        _ command: String,
        _ arguments: JSONValue,
        at time: Int64,
        state: PlayerState
    ) throws(CommandError) -> JSONValue {
        guard let command = TrackerCommand(rawValue: command) else {
            throw .unknown(command: command, known: TrackerCommand.allCases.map(\.rawValue))
        }
        let moment = moment(time, state)
        guard command.descriptor.changesState else { return try answer(command, arguments, moment) }
        guard isEnabled else { throw .refused("the tracker is disabled: enable it first") }
        do throws(ConfigurationError) {
            let answer = try change(command, arguments, moment)
            flushOutsideSession()
            guard let answer else { throw CommandArgument.noTracker(arguments) }
            return answer
        } catch {
            throw .argument(error)
        }
    }

    // MARK: - Queries

    private func answer(
        _ command: TrackerCommand,
        _ arguments: JSONValue,
        _ moment: Moment
    ) throws(CommandError) -> JSONValue {
        switch command {
        case .trackers:
            let pairs = agent?.pairs ?? []
            return .array(
                pairs.map { pair in
                    .object([
                        "id": .int(pair.id), "content": .bool(pair.content != nil), "ad": .bool(pair.ad != nil),
                    ])
                }
            )
        case .delivery:
            guard let delivery = recorder.delivery else {
                throw .refused("nothing is delivered: configure \"delivery\"")
            }
            return delivery.statistics.json
        case .contentTracker: return try tracker(arguments, isAd: false).state.json
        case .adTracker: return try tracker(arguments, isAd: true).state.json
        case .get: return try getter(tracker(arguments), arguments, moment)
        default: return try tracker(arguments).getters(at: moment)
        }
    }

    private func tracker(_ arguments: JSONValue, isAd: Bool? = nil) throws(CommandError) -> VideoTracker {
        do throws(ConfigurationError) {
            guard let agent, let tracker = try CommandArgument.tracker(arguments, isAd: isAd, of: agent) else {
                throw CommandArgument.noTracker(arguments)
            }
            return tracker
        } catch {
            throw .argument(error)
        }
    }

    private func getter(
        _ tracker: VideoTracker,
        _ arguments: JSONValue,
        _ moment: Moment
    ) throws(CommandError) -> JSONValue {
        do throws(ConfigurationError) {
            let name = try arguments.text("attribute")
            guard let attribute = tracker.attribute(calledBy: name) else {
                throw .unusable(key: "attribute", value: "\"\(name)\"", expected: "an attribute of this tracker")
            }
            return tracker.getter(attribute, at: moment).map(\.json) ?? .null
        } catch {
            throw .argument(error)
        }
    }

    // MARK: - Changes

    /// Nil when there is no tracker of the id.
    private func change(
        _ command: TrackerCommand,
        _ arguments: JSONValue,
        _ moment: Moment
    ) throws(ConfigurationError) -> JSONValue? {
        switch command {
        case .setUserId:
            let user = try arguments.text("userId")
            attributes.set(AttributeSetting(TrackerConfiguration.userAttribute, .string(user)))
            return .null
        case .setGlobalAttribute:
            attributes.set(try CommandArgument.attribute(arguments))
            return .null
        default: break
        }
        let agent = readyAgent(at: moment)
        switch command {
        case .startTracker:
            let roles = TrackerRoles.allCases.map(\.rawValue)
            let choice = try arguments.choice("trackers", of: roles, default: TrackerRoles.auto.rawValue)
            return .int(agent.startLater(TrackerRoles(rawValue: choice) ?? .auto, at: moment).id)
        case .releaseTracker:
            return agent.release(try arguments.integer("id", default: 0)) ? .null : nil
        case .setHeartbeatTime:
            let seconds = try arguments.integer(
                "seconds",
                in: Int64.min...TrackerConfiguration.longestHeartbeat,
                default: 30
            )
            agent.setHeartbeat(TrackerConfiguration.heartbeatPeriod(seconds), at: moment.time)
            return .null
        default:
            guard let tracker = try CommandArgument.tracker(arguments, isAd: nil, of: agent) else { return nil }
            try change(tracker, command, arguments, moment)
            agent.runTimers(at: moment)
            return .null
        }
    }

    private func change(
        _ tracker: VideoTracker,
        _ command: TrackerCommand,
        _ arguments: JSONValue,
        _ moment: Moment
    ) throws(ConfigurationError) {
        switch command {
        case .sendEvent:
            let action = KeptText(try CommandArgument.action("action", in: arguments))
            let own = try CommandArgument.attributes(arguments)
            guard let name = action.text else { return }
            tracker.sendEvent(name, own, at: moment)
        case .send:
            let name = try arguments.choice("sender", of: VideoSender.allCases.map(\.rawValue), default: "")
            guard let sender = VideoSender(rawValue: name) else { return }
            tracker.call(sender, at: moment)
        case .setAttribute: tracker.ownAttributes.set(try CommandArgument.attribute(arguments))
        default:
            let action = try CommandArgument.action("action", in: arguments)
            let name = try TrackerConfiguration.attributeName(arguments.text("attribute"), "attribute")
            tracker.addTimeSinceEntry(
                action,
                attribute: name,
                filter: try TrackerConfiguration.filter("actions", in: arguments)
            )
        }
    }
}
