import Testing
import TextEncoding

struct NearestNameTests {
    @Test("A near name is suggested, a far one is not")
    func nearestName() {
        let names = ["plugins", "pluginDirectories", "archive", "no", "config"]
        #expect(NearestName.among(names, to: "plugns") == "plugins")
        #expect(NearestName.among(names, to: "Archive") == "archive")
        #expect(NearestName.among(names, to: "achrive") == "archive")
        #expect(NearestName.among(names, to: "conf") == "config")
        #expect(NearestName.among(names, to: "configuration") == "config")
        #expect(NearestName.among(names, to: "zzzzzz") == nil)
        #expect(NearestName.among([], to: "a") == nil)
    }
}
