internal import PluginKit

/// A beacon's patches as text, for the spool: `part,kind,width,offset` with a semicolon behind each.
enum PatchText {
    static func text(_ patches: [BeaconView.Patch]) -> String {
        patches.map { patch in
            "\(patch.part.rawValue),\(number(of: patch.patch)),\(patch.patch.width),\(patch.offset);"
        }.joined()
    }

    /// What cannot be read is left out: the beacon then goes with the digits that its tracker put there.
    static func patches(_ text: String) -> [BeaconView.Patch] {
        text.split(separator: ";").compactMap { entry in
            let numbers = entry.split(separator: ",").compactMap { Int($0) }
            guard numbers.count == 4, let part = BeaconPart(rawValue: UInt32(truncatingIfNeeded: numbers[0])),
                let patch = patch(numbers[1], width: numbers[2])
            else { return nil }
            return BeaconView.Patch(part: part, patch: patch, offset: numbers[3])
        }
    }

    private static func number(of patch: BeaconPatch) -> Int {
        switch patch {
        case .sendEpochMilliseconds: 1
        case .sendEpochSeconds: 2
        case .attempt: 3
        }
    }

    private static func patch(_ number: Int, width: Int) -> BeaconPatch? {
        switch number {
        case 1: .sendEpochMilliseconds
        case 2: .sendEpochSeconds
        case 3: .attempt(digits: width)
        default: nil
        }
    }
}
