package import PluginKit

extension Ad: StateValue {
    static var blank: Ad {
        Ad(information: .blank, adBreak: .blank, sessionID: "", podID: "", podSecond: 0)
    }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&information)
        transfer.carry(&adBreak)
        transfer.carry(&sessionID)
        transfer.carry(&podID)
        transfer.carry(&podSecond)
    }
}

extension AdInformation: StateValue {
    static var blank: AdInformation { AdInformation(id: "", name: "", length: 0, position: nil, cpm: "") }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&id)
        transfer.carry(&name)
        transfer.carry(&length)
        transfer.carry(&position)
        transfer.carry(&cpm)
    }
}

extension AdBreakInformation: StateValue {
    static var blank: AdBreakInformation {
        AdBreakInformation(playerName: "", name: "", position: 0, startTime: nil)
    }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&playerName)
        transfer.carry(&name)
        transfer.carry(&position)
        transfer.carry(&startTime)
    }
}

extension ChapterInformation: StateValue {
    static var blank: ChapterInformation { ChapterInformation(name: "", length: 0, position: 0, startTime: 0) }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&name)
        transfer.carry(&length)
        transfer.carry(&position)
        transfer.carry(&startTime)
    }
}

extension InvalidInformation: StateValue {
    /// Nothing is wrong with nothing.
    package static var blank: InvalidInformation { InvalidInformation(object: "", property: "", reason: "") }

    /// Carries what is wrong.
    package mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&object)
        transfer.carry(&property)
        transfer.carry(&reason)
    }
}

extension Reading: StateValue where Information: StateValue {
    static var blank: Reading { .nothing }

    mutating func carry(by transfer: StateTransfer) {
        var information: Information?
        var problem: InvalidInformation?
        switch self {
        case .nothing: break
        case .known(let known): information = known
        case .invalid(let invalid): problem = invalid
        }
        transfer.carry(&information)
        transfer.carry(&problem)
        self = information.map { .known($0) } ?? problem.map { .invalid($0) } ?? .nothing
    }
}
