import Database
import Glibc
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// The permissions of a file; nil when it is not there.
func mode(of path: String) -> UInt32? {
    var information = stat()
    return unsafe stat(path, &information) == 0 ? information.st_mode & 0o777 : nil
}

/// What the dashboard cannot begin with.
@Suite("The dashboard refuses")
struct RefusalTests {
    private static func refusal(_ configuration: JSONObject) -> String {
        do {
            _ = try ShownDashboard(configuration)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test("A port that another program has, and says what to do")
    func port() throws {
        let first = try ShownDashboard()
        let refusal = Self.refusal(["port": .int(Int64(first.port))])
        #expect(refusal.contains("cannot listen on 127.0.0.1, port \(first.port): Address already in use"))
        #expect(refusal.contains("set \"port\" to another one, or to 0 for any that is free"))
    }

    @Test("An address that is none, or none of this machine")
    func address() {
        #expect(Self.refusal(["listen": "here"]).contains("'here': it is no address; set \"listen\" to one"))
        #expect(Self.refusal(["listen": "192.0.2.1"]).contains("set \"listen\" to an address of this machine"))
    }

    @Test("A file of the user's for its address, and leaves it as it is; an earlier dashboard's it takes")
    func urlFile() throws {
        let folder = TemporaryFolder()
        let path = folder.write("notes.txt", "do not lose this")
        #expect(Self.refusal(["url_file": .string(path)]).contains("is no file of a dashboard's address"))
        #expect(try TestFile.text(path) == "do not lose this")
        let token = folder.write("token", "correct-horse-battery")
        unsafe chmod(token, 0o600)
        #expect(Self.refusal(["token_file": .string(token), "url_file": .string(token)]).contains("set \"url_file\""))
        #expect(try TestFile.text(token) == "correct-horse-battery")
        let old = folder.write("old", "http://127.0.0.1:1/?token=earlier\n")
        #expect(!Self.refusal(["url_file": .string(old)]).contains("is no file"))
    }

    @Test("A token that others can read, that is short or that is in two places; never shows it")
    func token() throws {
        let folder = TemporaryFolder()
        let path = folder.write("token", "correct-horse-battery")
        unsafe chmod(path, 0o644)
        #expect(Self.refusal(["token_file": .string(path)]).contains("can be read by others; run: chmod 600"))
        unsafe chmod(path, 0o600)
        let dashboard = try ShownDashboard(["token_file": .string(path)])
        #expect(dashboard.token == "correct-horse-battery" && dashboard.ask("/").status == 200)
        folder.write("token", "short secret")
        let refusal = Self.refusal(["token_file": .string(path)])
        #expect(refusal.contains("shorter than 16 characters") && !refusal.contains("short secret"))
        TemporaryFolder.remove(path)
        #expect(Self.refusal(["token_file": .string(path)]).contains("write the secret to that file with mode 0600"))
        #expect(Self.refusal(["token_file": .string(folder.path)]).contains("is a folder; name the file"))
        let both = Self.refusal(["token_file": .string(path), "token_environment": "T"])
        #expect(both.contains("nothing beside token_file"))
        #expect(Self.refusal(["token_environment": "TALLY_NO_SUCH"]).contains("TALLY_NO_SUCH is not set"))
    }

    @Test("A database of another program or of a later version, and leaves it as it is")
    func database() throws {
        let folder = TemporaryFolder()
        let path = folder.file("songs.db")
        try Database(path: path).run("CREATE TABLE songs (title TEXT)")
        let before = try TestFile.bytes(path)
        #expect(Self.refusal(["database": .string(path)]).contains("'\(path)' is the database of another program"))
        #expect(try TestFile.bytes(path) == before)
        let own = folder.file("own.db")
        _ = try ShownDashboard(["database": .string(own)])
        #expect(mode(of: own) == 0o600)
        try Database(path: own).run("PRAGMA user_version = 2")
        let newer = Self.refusal(["database": .string(own)])
        #expect(newer.contains("tables of version 2, and this dashboard knows them up to 1"))
        let text = folder.write("notes.db", String(repeating: "these are notes\n", count: 100))
        #expect(Self.refusal(["database": .string(text)]).contains("file is not a database"))
    }

    @Test("A database that another dashboard has")
    func taken() throws {
        let folder = TemporaryFolder()
        let first = try ShownDashboard(["database": .string(folder.file("own.db"))])
        #expect(Self.refusal(["database": .string(folder.file("own.db"))]).contains("another program uses it"))
        _ = first
    }
}
