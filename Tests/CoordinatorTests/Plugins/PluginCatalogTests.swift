import PluginLoading
import System
import TallyTesting
import Testing

/// Folders are searched in the order in which they count, and a bad file spoils none of the others.
@Suite struct PluginCatalogTests {
    @Test("Of two files of one folder with the same id the second is refused and names the first")
    func duplicate() throws {
        let folder = TemporaryFolder()
        let first = try folder.copy(PluginFiles.fixture("frozen-v1"), as: "a.tallyplugin.so")
        let second = try folder.copy(PluginFiles.fixture("duplicate-id"), as: "b.tallyplugin.so")
        let catalog = PluginCatalog()
        catalog.search(folder.path)
        let id = "org.tally.fixture.frozen-v1"
        #expect(catalog.plugins.map(\.path) == [first])
        #expect(catalog.rejected == [.duplicate(id: id, path: second, first: first)])
        #expect(catalog.rejections.first?.reason.contains("loaded already from \(first)") == true)
    }

    @Test("A library that is added after one with the same id is refused")
    func duplicateAdded() throws {
        let catalog = PluginCatalog()
        try catalog.add(LoadedLibrary(path: PluginFiles.fixture("frozen-v1")))
        #expect(throws: PluginError.self) {
            try catalog.add(LoadedLibrary(path: PluginFiles.fixture("duplicate-id")))
        }
        #expect(catalog.plugins.count == 1)
    }

    @Test("In a later folder the same id is shadowed, which is no error")
    func shadowed() throws {
        let near = TemporaryFolder()
        let far = TemporaryFolder()
        let first = try near.copy(PluginFiles.fixture("duplicate-id"), as: "x.tallyplugin.so")
        let second = try far.copy(PluginFiles.fixture("frozen-v1"), as: "y.tallyplugin.so")
        let catalog = PluginCatalog()
        catalog.search(near.path)
        catalog.search(far.path + "/")
        #expect(catalog.plugins.map(\.path) == [first])
        #expect(catalog.rejected.isEmpty)
        #expect(catalog.shadowed.map(\.path) == [second])
        #expect(catalog.shadowed.map(\.first) == [first])
    }

    @Test("Bad files are told, the good ones beside them load, and other files are left alone")
    func mixed() throws {
        let folder = TemporaryFolder()
        try folder.copy(PluginFiles.fixture("witness"), as: "libgood.tallyplugin.so")
        try folder.copy(PluginFiles.fixture("no-entry"), as: "libwithout.tallyplugin.so")
        folder.write("libtext.tallyplugin.so", bytes: [1, 2, 3])
        try folder.copy(PluginFiles.fixture("frozen-v1"), as: "libother.so")
        let catalog = PluginCatalog()
        catalog.search(folder.path)
        #expect(catalog.plugins.map(\.shortName) == ["good"])
        #expect(
            catalog.rejected == [
                .notALibrary(path: folder.file("libtext.tallyplugin.so"), reason: "it is no ELF file"),
                .noEntry(path: folder.file("libwithout.tallyplugin.so")),
            ]
        )
    }

    @Test("A plugin that was found and cannot be used is answered with the reason, not as unknown")
    func rejectedByName() throws {
        let folder = TemporaryFolder()
        let path = try folder.copy(PluginFiles.fixture("no-entry"), as: "libmine.tallyplugin.so")
        let catalog = PluginCatalog()
        catalog.search(folder.path)
        #expect(throws: PluginError.noEntry(path: path)) { try catalog.find("mine") }
    }

    @Test("An unknown plugin is answered with where was searched and what there is")
    func unknown() throws {
        let folder = TemporaryFolder()
        try folder.copy(PluginFiles.fixture("witness"), as: "libgood.tallyplugin.so")
        let catalog = PluginCatalog()
        catalog.search(folder.path)
        let error = PluginError.unknown(id: "absent", searched: [folder.path], found: ["good"])
        #expect(throws: error) { try catalog.find("absent") }
        #expect("\(error)".contains("--plugin-dir"))
        // However many folders and plugins there are, a line stays one that can be read.
        let one = PluginError.unknown(id: "absent", searched: ["/a"], found: ["first", "second", "third"])
        #expect("\(one)".hasPrefix("no plugin absent in /a; found: first, second, third. "))
        let many = PluginError.unknown(
            id: "absent",
            searched: ["/a", "/b", "/c"],
            found: ["first", "second", "third", "fourth", "fifth"]
        )
        let text = "no plugin absent in /a and 2 more folders; found: first, second, third and 2 more. "
        #expect("\(many)".hasPrefix(text))
        let near = PluginError.unknown(id: "org.example.frist", searched: ["/a", "/b"], found: ["first"])
        #expect("\(near)" == "no plugin org.example.frist in /a and 1 more folder; did you mean first?")
        for name in ["good", "witness", "org.tally.fixture.witness"] {
            #expect(try catalog.find(name).description.id == "org.tally.fixture.witness")
        }
    }

    @Test("A folder that does not exist holds no plugins")
    func absentFolder() {
        let catalog = PluginCatalog()
        let folder = TemporaryFolder()
        catalog.search(folder.file("not/there"))
        #expect(catalog.plugins.isEmpty && catalog.rejected.isEmpty)
    }

    @Test("A folder that is searched late opens a file when a plugin of its name, or every plugin, is wanted")
    func late() throws {
        let early = TemporaryFolder()
        try early.copy(PluginFiles.fixture("from-the-future"), as: "libfirst.tallyplugin.so")
        let folder = TemporaryFolder()
        let witness = try folder.copy(PluginFiles.fixture("witness"), as: "libwitness.tallyplugin.so")
        let odd = try folder.copy(PluginFiles.fixture("frozen-v1"), as: "libodd.tallyplugin.so")
        folder.write("libtext.tallyplugin.so", bytes: [1, 2, 3])
        let opened = Lock<[String]>([])
        var admission = PluginAdmission(trust: .everything)
        admission.afterOpening = { path in opened.with { $0.append(path) } }
        let catalog = PluginCatalog(admission: admission)
        catalog.search(early.path)
        catalog.search(folder.path, late: true)
        #expect(opened.with { $0 } == [early.file("libfirst.tallyplugin.so")])
        #expect(catalog.knows(witness))
        #expect(try catalog.find("org.tally.fixture.witness").description.path == witness)
        #expect(opened.with { $0.dropFirst() } == [witness])
        // A bad file that nobody wants is not looked at.
        #expect(catalog.openedRejections.isEmpty)
        // Its name says nothing of what is in it: all are opened before it is called unknown.
        #expect(try catalog.find("org.tally.fixture.frozen-v1").description.path == odd)
        #expect(catalog.rejections.map(\.path) == [folder.file("libtext.tallyplugin.so")])
        #expect(catalog.plugins.map(\.shortName) == ["first", "witness", "odd"])
    }
}
