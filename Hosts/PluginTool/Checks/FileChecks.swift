internal import CPluginTool
internal import Glibc
internal import HostSupport
internal import PluginABI

/// What a file has to be: first without running anything of it, then loaded.
enum FileChecks {
    static let group = CheckGroup(
        "The file",
        .file,
        [
            Check(
                "file-name",
                "Its name ends in `.tallyplugin.so`.",
                remedy: "Name it so: hosts open no other file of a folder."
            ) { subject throws(Finding) in
                guard subject.path.hasSuffix(".tallyplugin.so") else {
                    throw .failed("it is called \(subject.path.split(separator: "/").last ?? "")")
                }
            },
            Check(
                "file-format",
                "It is a whole shared library for this machine.",
                remedy: "Link with `-shared`, for this processor, and copy the file whole."
            ) { subject throws(Finding) in _ = try image(subject) },
            Check(
                "exports-entry",
                needs: ["file-format"],
                "It exports `tally_plugin_entry_v1`.",
                remedy: "Define the function as the header declares it, in C++ by including the header, and export it."
            ) { subject throws(Finding) in
                let exports = try image(subject).exports
                guard !exports.contains("tally_plugin_entry_v1") else { return }
                let other = exports.first { $0.hasPrefix("tally_plugin_entry_") }
                throw .failed("it exports \(other ?? "\(exports.count) other symbols")")
            },
            Check(
                "exports-nothing-else",
                needs: ["exports-entry"],
                "It exports nothing else.",
                remedy: "Link with `-Wl,--version-script=plugin-exports.map`, or with `-fvisibility=hidden`: what it "
                    + "exports, others can call by mistake."
            ) { subject throws(Finding) in
                let others = try image(subject).exports.filter { $0 != "tally_plugin_entry_v1" }
                guard let first = others.first else { return }
                // Its linker takes no list of symbols for a library that C loads.
                if Runtime.language(of: subject) == "Go" {
                    throw .note("it exports \(others.count) names of Go's runtime")
                }
                throw .failed("it exports \(first)\(others.count > 1 ? " and \(others.count - 1) more" : "")")
            },
            Check(
                "stack",
                needs: ["file-format"],
                "It does not ask for a stack that code can run on.",
                remedy: "Link with `-z noexecstack`; sources in assembler need a section `.note.GNU-stack`."
            ) { subject throws(Finding) in
                if try image(subject).hasExecutableStack { throw .failed("it makes the stacks of its host executable") }
            },
            Check(
                "libraries",
                needs: ["file-format"],
                "The libraries that it needs are there.",
                remedy: "Install them, or link them in; a run path `$ORIGIN` finds those beside the file."
            ) { subject throws(Finding) in
                let reason = LoadTrial.refusal(of: subject) ?? ""
                if reason.contains("cannot open shared object file") { throw .failed(reason) }
            },
            Check(
                "symbols",
                needs: ["libraries"],
                "All symbols that it takes from others are there.",
                remedy: "`ldd -r FILE` lists them; link with `-Wl,-z,defs` to hear of them when it is built."
            ) { subject throws(Finding) in
                let reason = LoadTrial.refusal(of: subject) ?? ""
                if reason.contains("undefined symbol") { throw .failed(reason) }
            },
            Check(
                "loads",
                needs: ["symbols", "exports-entry"],
                "It can be loaded, and its constructors come back.",
                remedy: "Do nothing in constructors of the library: `create` is the place."
            ) { subject throws(Finding) in _ = try subject.load() },
            Check(
                "entry",
                needs: ["loads"],
                "The entry returns a table.",
                remedy: "Return the address of a constant `tally_entry`."
            ) { subject throws(Finding) in _ = unsafe try subject.entry() },
            Check(
                "entry-constant",
                needs: ["entry"],
                "The entry returns the same table each time.",
                remedy: "Make the table `static const`: hosts ask often, and keep what they got."
            ) { subject throws(Finding) in
                guard unsafe try subject.entry() == subject.entry() else { throw .failed("the second is another one") }
            },
            Check(
                "entry-table",
                needs: ["entry"],
                "The table has its size, plugins, and both functions.",
                remedy: "Set `struct_size = sizeof (tally_entry)`, `count`, `descriptor` and `create`."
            ) { subject throws(Finding) in
                let entry = unsafe try UnsafeRawPointer(subject.entry())
                let size = unsafe entry.loadUnaligned(as: UInt32.self)
                let expected = unsafe MemoryLayout<tally_entry>.size
                guard Int(size) >= expected else { throw .failed("struct_size is \(size), not \(expected)") }
                guard unsafe entry.assumingMemoryBound(to: tally_entry.self).pointee.count > 0 else {
                    throw .failed("count is 0")
                }
                let members = unsafe [
                    ("descriptor", MemoryLayout<tally_entry>.offset(of: \.descriptor)),
                    ("create", MemoryLayout<tally_entry>.offset(of: \.create)),
                ]
                for (name, member) in members where unsafe !Subject.has(entry, member) {
                    throw .failed("\(name) is NULL")
                }
            },
            Check(
                "descriptors",
                needs: ["entry-table"],
                "There is a descriptor for each index below `count`, the same each time, and none behind.",
                remedy: "Return constant tables, and NULL for any index at `count` and above."
            ) { subject throws(Finding) in
                let entry = unsafe try subject.entry()
                let count = unsafe entry.pointee.count
                for index in 0..<count {
                    guard let found = unsafe entry.pointee.descriptor(entry, index) else {
                        throw .failed("descriptor \(index) of \(count) is NULL")
                    }
                    guard unsafe entry.pointee.descriptor(entry, index) == found else {
                        throw .failed("descriptor \(index) is another one the second time")
                    }
                }
                for index in [count, UInt32.max] where unsafe entry.pointee.descriptor(entry, index) != nil {
                    throw .failed("there is a descriptor \(index), though count is \(count)")
                }
            },
        ]
    )

    private static func image(_ subject: Subject) throws(Finding) -> ElfImage {
        do throws(ElfProblem) {
            return try ElfImage(path: subject.path)
        } catch {
            throw .failed(error.text)
        }
    }
}

/// The language of a plugin, as far as its runtime is not the plugin's to mend.
enum Runtime {
    /// What stands in the files of a language's compiler; Debian's Rust has the place of its own sources in them.
    private static let marks = [("Rust", "/rustc/"), ("Rust", "/rustc-"), ("Go", "Go buildinf:")]

    /// The language; nil for C, C++ and what is like them.
    static func language(of subject: Subject) -> String? {
        guard let image = try? ElfImage(path: subject.path) else { return nil }
        // Every library that SwiftPM links names a few functions of the runtime, one in C too.
        if image.imports.contains("swift_allocObject") { return "Swift" }
        guard let bytes = try? TextFile.read(subject.path, limit: 512 << 20) else { return nil }
        return marks.first { unsafe tally_tool_contains(bytes, bytes.count, $0.1) }?.0
    }
}
