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
        let changes = command.descriptor.changesState
        guard isEnabled || !changes else { throw .refused("the tracker is disabled: enable it first") }
        if command == .delivery {
            guard let delivery = recorder.delivery else {
                throw .refused("nothing is delivered: configure \"delivery\"")
            }
            return delivery.statistics.json
        }
        let moment = moment(time, state)
        do throws(ConfigurationError) {
            let answer = try changes ? change(command, arguments, moment) : answer(command, arguments, moment)
            if changes { sendOutsideSession() }
            guard let answer else { throw CommandArgument.noTracker(arguments) }
            return answer
        } catch {
            throw .argument(error)
        }
    }

    // MARK: - Queries

    /// Nil when there is no tracker of the id.
    private func answer(
        _ command: TrackerCommand,
        _ arguments: JSONValue,
        _ moment: Moment
    ) throws(ConfigurationError) -> JSONValue? {
        guard command != .trackers else {
            return .array(
                (agent?.pairs ?? []).map { pair in
                    ["id": .int(pair.id), "content": .bool(pair.content != nil), "ad": .bool(pair.ad != nil)]
                }
            )
        }
        let isAd: Bool? = command == .contentTracker ? false : command == .adTracker ? true : nil
        guard let agent, let tracker = try CommandArgument.tracker(arguments, isAd: isAd, of: agent) else { return nil }
        guard isAd == nil else { return tracker.state.json }
        guard command == .get else { return tracker.getters(at: moment) }
        let name = try arguments.text("attribute")
        guard let attribute = tracker.attribute(calledBy: name) else {
            throw .unusable(key: "attribute", value: "\"\(name)\"", expected: "an attribute of this tracker")
        }
        return tracker.getter(attribute, at: moment).map(\.json) ?? .null
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
        case .releaseTracker: return agent.release(try arguments.integer("id", default: 0)) ? .null : nil
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
            let action = KeptText(try arguments.required("action", .actionName))
            let own = try CommandArgument.attributes(arguments)
            guard let name = action.text else { return }
            tracker.sendEvent(name, .given(own), at: moment)
        case .send:
            let name = try arguments.choice("sender", of: VideoSender.allCases.map(\.rawValue), default: "")
            guard let sender = VideoSender(rawValue: name) else { return }
            tracker.send(sender, at: moment)
        case .setAttribute: tracker.ownAttributes.set(try CommandArgument.attribute(arguments))
        default:
            let action = try arguments.required("action", .actionName)
            let name = try arguments.required("attribute", .attributeName)
            tracker.addTimeSinceEntry(
                action,
                attribute: name,
                filter: try arguments.value("actions", .filter) ?? .every
            )
        }
    }
}
