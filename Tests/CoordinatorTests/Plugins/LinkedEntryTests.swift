import PluginABI
import PluginLoading
import Testing

/// What a plugin hands over is looked at before it is used, member by member.
@Suite struct LinkedEntryTests {
    private let plugin = LinkedPlugin()

    @Test("An entry that is NULL, holds no plugin or lacks a function is refused")
    func entry() {
        let reasons = unsafe [
            reason { _ in },
            reason { unsafe $0 = nil },
            reason { unsafe $0?.pointee.count = 0 },
            reason { unsafe $0?.pointee.struct_size = 24 },
            reason { unsafe Self.clear($0, \.descriptor) },
            reason { unsafe Self.clear($0, \.create) },
        ]
        #expect(
            reasons == [
                nil, "the entry function returned NULL", "the library holds no plugin",
                "tally_entry is smaller than that of ABI 1.0", "tally_entry.descriptor is NULL",
                "tally_entry.create is NULL",
            ]
        )
    }

    @Test(
        "A descriptor without a text that has to be there is refused",
        arguments: ["id", "name", "vendor", "version"]
    )
    func text(member: String) {
        switch member {
        case "id": unsafe plugin.clear(\.id)
        case "name": unsafe plugin.clear(\.name)
        case "vendor": unsafe plugin.clear(\.vendor)
        default: unsafe plugin.clear(\.version)
        }
        let told = unsafe reason { _ in }
        #expect(told == "tally_descriptor.\(member) is NULL")
    }

    @Test("A build that is not PATCH-COMMIT is refused; without one the version in full ends in zeros")
    func build() throws {
        let library = unsafe try withUnsafePointer(to: plugin.entry) { entry in
            unsafe try LoadedLibrary(entry: entry, path: "linked", sha256: "")
        }
        #expect(library.plugins.map(\.fullVersion.text) == ["linux-1.0.0.0-0000000"])
        plugin.set(build: "3a4f2c1")
        let told = unsafe reason { _ in }
        #expect(told == "org.tally.test.linked: the build \"3a4f2c1\" is not PATCH-COMMIT such as 0-3a4f2c1")
    }

    @Test("A library with two plugins of one id is refused with the id")
    func twice() {
        let told = unsafe reason { unsafe $0?.pointee.count = 2 }
        #expect(told == "two of its plugins have the id org.tally.test.linked")
    }

    /// Why an entry is refused after `change`; nil when it is taken.
    private func reason(_ change: (inout UnsafeMutablePointer<tally_entry>?) -> Void) -> String? {
        let memory = UnsafeMutablePointer<tally_entry>.allocate(capacity: 1)
        defer { unsafe memory.deallocate() }
        unsafe memory.initialize(to: plugin.entry)
        var entry: UnsafeMutablePointer<tally_entry>? = unsafe memory
        unsafe change(&entry)
        do throws(PluginError) {
            _ = unsafe try LoadedLibrary(entry: UnsafePointer(entry), path: "linked", sha256: "")
            return nil
        } catch {
            guard case .invalid("linked", let reason) = error else { return "\(error)" }
            return reason
        }
    }

    private static func clear<Member>(
        _ entry: UnsafeMutablePointer<tally_entry>?,
        _ member: KeyPath<tally_entry, Member>
    ) {
        guard let entry = unsafe entry, let offset = unsafe MemoryLayout<tally_entry>.offset(of: member) else { return }
        unsafe UnsafeMutableRawPointer(entry).storeBytes(of: 0, toByteOffset: offset, as: UInt.self)
    }
}

/// A plugin's descriptor in memory that a test can damage.
@safe private final class LinkedPlugin {
    private let descriptor: UnsafeMutablePointer<tally_descriptor> = .allocate(capacity: 1)

    init() {
        unsafe descriptor.initialize(
            to: tally_descriptor(
                struct_size: UInt32(MemoryLayout<tally_descriptor>.size),
                abi_minor: 0,
                kind: TALLY_KIND_TRACKER,
                caps: TALLY_CAP_DETERMINISTIC,
                id: Self.text("org.tally.test.linked"),
                name: Self.text("Linked"),
                vendor: Self.text("Tally"),
                version: Self.text("1.0.0"),
                config_schema: nil,
                requires_extensions: nil,
                shared_config: nil,
                store_keys: nil,
                build: nil,
                wanted_events: nil,
                read_paths: nil,
                written_paths: nil
            )
        )
    }

    deinit { unsafe descriptor.deallocate() }

    /// An entry with this plugin; lent as long as this object lives.
    var entry: tally_entry {
        unsafe tally_entry(
            struct_size: UInt32(MemoryLayout<tally_entry>.size),
            abi_minor: 0,
            count: 1,
            reserved0: 0,
            entry_data: UnsafeMutableRawPointer(descriptor),
            descriptor: { entry, _ in
                unsafe UnsafePointer(entry.pointee.entry_data?.assumingMemoryBound(to: tally_descriptor.self))
            },
            create: { _, _, _, _ in nil }
        )
    }

    func set(build: StaticString) {
        unsafe descriptor.pointee.build = Self.text(build)
    }

    func clear<Member>(_ member: KeyPath<tally_descriptor, Member>) {
        guard let offset = unsafe MemoryLayout<tally_descriptor>.offset(of: member) else { return }
        unsafe UnsafeMutableRawPointer(descriptor).storeBytes(of: 0, toByteOffset: offset, as: UInt.self)
    }

    private static func text(_ text: StaticString) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
    }
}
