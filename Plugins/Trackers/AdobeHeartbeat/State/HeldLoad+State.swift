internal import PluginKit

extension HeldLoad: StateValue {
    static var blank: HeldLoad { HeldLoad(VideoInformation(), missing: .blank, at: .blank) }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&moment)
        transfer.carry(&video)
        transfer.carry(&missing)
        transfer.carry(&calls)
    }
}

extension HeldLoad.WaitingCall: StateValue {
    static var blank: HeldLoad.WaitingCall { HeldLoad.WaitingCall(call: .play, moment: .blank) }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&call)
        transfer.carry(&moment)
    }
}

extension Moment: StateValue {
    static var blank: Moment { Moment() }

    mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&time)
        transfer.carry(&epochMilliseconds)
        transfer.carry(&playheadMilliseconds)
        transfer.carry(&adPlayheadMilliseconds)
        transfer.carry(&lengthMilliseconds)
        transfer.carry(&bitrate)
        transfer.carry(&framesPerSecond)
        transfer.carry(&droppedFrames)
    }
}
