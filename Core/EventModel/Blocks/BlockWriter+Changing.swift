internal import Glibc
internal import PluginABI

// Reading what was written so far, and changing it: for rules that rewrite a block.
extension BlockWriter {
    /// What has been written so far, until the next change.
    package var attributes: AttributeList {
        unsafe AttributeList(base: base, offset: front, count: attributeCount)
    }

    /// The attribute with a name, nil when there is none.
    package func attribute(named name: UTF8Text) -> AttributeView? {
        index(named: name).map { unsafe AttributeView(base: base, raw: attribute($0)) }
    }

    /// Takes an attribute out; those behind it move up.
    ///
    /// - Returns: whether there was one of that name.
    @discardableResult
    package mutating func remove(_ name: UTF8Text) -> Bool {
        guard let old = index(named: name) else { return false }
        let place = unsafe attribute(old)
        unsafe memmove(place, place + 1, (attributeCount - old - 1) * BlockLayout.attributeSize)
        attributeCount -= 1
        return true
    }

    /// Gives an attribute another name in the same place; one that has the new name already is taken out.
    ///
    /// - Returns: ``AttributeOutcome/written`` also when there is no attribute of the old name.
    package mutating func rename(_ name: UTF8Text, to new: UTF8Text) -> AttributeOutcome {
        guard new.count > 0, new.count <= Limits.nameBytes else { return .badName }
        guard index(named: name) != nil, name != new else { return .written }
        guard makeRoom(forAttributes: 0, text: new.count) else { return .blockFull }
        remove(new)
        guard let place = index(named: name) else { return .written }
        let hash = NameHash.of(new)
        let offset = unsafe copy(new.bytes)
        let renamed = unsafe attribute(place)
        unsafe renamed.pointee.key_off = UInt32(truncatingIfNeeded: offset)
        unsafe renamed.pointee.key_len = UInt16(truncatingIfNeeded: new.count)
        // A record's attributes have no numbers; one of an event keeps finding its name's.
        let key = unsafe renamed.pointee.key_id == 0 ? .none : vocabulary.key(named: new, hash: hash)
        unsafe renamed.pointee.key_id = key.rawValue
        names.add(key, hash)
        return .written
    }
}
