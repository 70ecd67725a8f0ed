internal import CPluginTool
internal import Glibc
internal import PluginABI
internal import System
internal import TextEncoding

/// The plugin that is looked at: a file, which of its plugins, and a configuration that it can begin with.
@safe package struct Subject: Sendable {
    /// The file.
    let path: String
    /// Which of the file's plugins, from 0.
    var index: UInt32 = 0
    /// What it is given at its begin, JSON text.
    var configuration = "{}"

    /// Looks at a file.
    init(path: String) { self.path = path }

    /// One of Tally's own plugins, beside the program or where packages put it; nil when it is nowhere.
    static func own(_ plugin: String) -> Subject? {
        let folder = FileNames.programFolder ?? ""
        let name = "lib\(plugin).tallyplugin.so"
        return [name, "../lib/tally/plugins/" + name].map { folder + $0 }
            .first { path in unsafe access(path, R_OK) == 0 }
            .map { Subject(path: $0) }
    }

    /// The library, loaded with all that it needs.
    func load() throws(Finding) -> LoadedCode {
        var reason = [CChar](repeating: 0, count: 1024)
        guard let library = unsafe tally_tool_load(path, &reason, reason.count) else {
            let words = reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            throw .failed(String(decoding: words, as: UTF8.self))
        }
        return unsafe LoadedCode(library: library)
    }

    /// The entry's table.
    func entry() throws(Finding) -> UnsafePointer<tally_entry> {
        guard let entry = unsafe try load().entry() else { throw .failed("tally_plugin_entry_v1 returned NULL") }
        return unsafe entry
    }

    /// The plugin's descriptor.
    func descriptor() throws(Finding) -> UnsafePointer<tally_descriptor> {
        let entry = unsafe try entry()
        guard let descriptor = unsafe entry.pointee.descriptor(entry, index) else {
            throw .failed("descriptor \(index) is NULL")
        }
        return unsafe descriptor
    }

    /// The plugin's id.
    func id() throws(Finding) -> String { unsafe try String(cString: descriptor().pointee.id) }

    /// Whether it is a reporter.
    func isReporter() throws(Finding) -> Bool { unsafe try descriptor().pointee.kind == TALLY_KIND_REPORTER }

    /// The configuration's schema; nil when it declares none.
    func schema() throws(Finding) -> JSONObject? {
        guard let text = unsafe try descriptor().pointee.config_schema else { return nil }
        do throws(JSONParseError) {
            return unsafe try JSONParser(.json).parse(String(cString: text)).object
        } catch {
            throw .failed("the configuration schema is not JSON: \(error)")
        }
    }

    /// Whether a plugin's structure is long enough to have the member at an offset, and the member is not NULL.
    static func has(_ structure: UnsafeRawPointer, _ offset: Int?) -> Bool {
        guard let offset, unsafe Int(structure.loadUnaligned(as: UInt32.self)) >= offset + 8 else { return false }
        return unsafe structure.loadUnaligned(fromByteOffset: offset, as: UInt.self) != 0
    }

    /// The texts of a list that NULL ends; nil when there is no end within 64.
    static func list(_ first: UnsafePointer<UnsafePointer<CChar>?>?) -> [String]? {
        guard let first = unsafe first else { return [] }
        var texts: [String] = []
        while let text = unsafe first[texts.count] {
            unsafe texts.append(String(cString: text))
            if texts.count > 64 { return nil }
        }
        return texts
    }
}

/// A library that was loaded.
@safe package struct LoadedCode {
    /// What the loader knows it by.
    let library: UnsafeMutableRawPointer

    /// Calls the entry's function; nil when it returns NULL, or there is none.
    func entry() throws(Finding) -> UnsafePointer<tally_entry>? {
        guard let function = unsafe tally_tool_symbol(library, "tally_plugin_entry_v1") else {
            throw .failed("it exports no tally_plugin_entry_v1")
        }
        return unsafe unsafeBitCast(function, to: (@convention(c) () -> UnsafePointer<tally_entry>?).self)()
    }
}
