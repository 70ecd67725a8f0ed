import PlaybackEngine
import Testing

/// What GStreamer 1.22 raises in each case, and what it is called here.
struct ErrorClassifierTests {
    private static let resource = "gst-resource-error-quark"
    private static let stream = "gst-stream-error-quark"

    private func code(
        _ raw: RawEngineError,
        after signals: [EngineSignal] = [],
        isLoaded: Bool = false
    ) -> EngineError.Code {
        var state = PlaybackState(configuration: EngineConfiguration())
        state.handle(.command(.load("http://host/a")), at: 1)
        for signal in signals { state.handle(signal, at: 1) }
        if isLoaded { state.handle(.prerolled(.file, positionMs: 0), at: 1) }
        return state.classifier.classify(raw).code
    }

    @Test func aStatusOfTheServerDecides() {
        #expect(code(RawEngineError(domain: Self.resource, code: 3, httpStatus: 404)) == .notFound)
        #expect(code(RawEngineError(domain: Self.resource, code: 5, httpStatus: 403)) == .forbidden)
        #expect(code(RawEngineError(domain: Self.resource, code: 5, httpStatus: 500)) == .httpError)
    }

    @Test func aGoodStatusWithABrokenBodyIsALostConnection() {
        let raw = RawEngineError(domain: Self.resource, code: 3, httpStatus: 200)
        #expect(code(raw, isLoaded: true) == .connectionLost)
    }

    @Test func transportFailuresHaveNumbersBelowHTTP() {
        #expect(code(RawEngineError(domain: Self.resource, code: 5, httpStatus: 2)) == .hostNotFound)
        #expect(code(RawEngineError(domain: Self.resource, code: 3, httpStatus: 4)) == .connectionRefused)
        #expect(code(RawEngineError(domain: Self.resource, code: 3, httpStatus: 4), isLoaded: true) == .connectionLost)
    }

    @Test func aGenericFailureAfterAnUnansweredRequestIsARefusal() {
        let raw = RawEngineError(domain: Self.stream, code: 1, message: "Internal data stream error.")
        let unanswered = EngineSignal.request(EngineRequest(url: "http://host/a"))
        #expect(code(raw, after: [unanswered]) == .connectionRefused)
        #expect(code(raw, after: [.request(EngineRequest(url: "u", status: 200))], isLoaded: true) == .connectionLost)
        #expect(code(raw) == .corrupt)
        var ofSource = raw
        ofSource.debug = "gst_base_src_loop (): /GstPlayBin3:playbin/GstSoupHTTPSrc:souphttpsrc0: reason error (-5)"
        #expect(code(ofSource, after: [.request(EngineRequest(url: "u", status: 200))]) == .connectionLost)
        #expect(code(raw, after: [.request(EngineRequest(url: "u", status: 200))]) == .corrupt)
    }

    @Test func aHostThatNobodyKnowsIsNotFoundWhateverTheEngineSays() {
        let unanswered = EngineSignal.request(EngineRequest(url: "http://host/a"))
        var raw = RawEngineError(domain: Self.stream, code: 1, message: "Internal data stream error.")
        raw.isHostUnknown = true
        #expect(code(raw, after: [unanswered]) == .hostNotFound)
        // A server that answers is known.
        raw.httpStatus = 404
        #expect(code(raw, after: [unanswered]) == .notFound)
    }

    @Test func aGenericFailureWithoutDecodersIsAMissingCodec() {
        let raw = RawEngineError(domain: Self.stream, code: 1)
        let missing = EngineSignal.missingDecoder(mediaType: "video/x-new", name: "new")
        #expect(code(raw, after: [missing]) == .missingCodec)
    }

    @Test(arguments: ["application/x-cenc", "application/x-cbcs"])
    func aStreamOfCommonEncryptionIsEncrypted(mediaType: String) {
        let missing = EngineSignal.missingDecoder(mediaType: mediaType, name: "\(mediaType) decoder")
        #expect(code(RawEngineError(domain: Self.stream, code: 1), after: [missing]) == .encrypted)
        #expect(code(RawEngineError(domain: Self.stream, code: 6), after: [missing]) == .encrypted)
        var driver = StateDriver()
        driver.send(.command(.load("a.mp4")), missing, .prerolled(EngineMedia(), positionMs: 0))
        let failures = driver.takeEvents().compactMap { event in
            if case .failed(let error) = event { error.code } else { nil }
        }
        #expect(failures == [.encrypted])
    }

    @Test func streamErrorsKeepTheirMeaning() {
        #expect(code(RawEngineError(domain: Self.stream, code: 4)) == .notMedia)
        let playlist = RawEngineError(domain: Self.stream, code: 5, debug: "Could not fetch media playlist")
        #expect(code(playlist) == .invalidManifest)
        let page = RawEngineError(
            domain: Self.stream,
            code: 1,
            debug: "Could not fetch media playlist: Couldn't parse playlist"
        )
        #expect(code(page) == .invalidManifest)
        #expect(code(RawEngineError(domain: Self.stream, code: 7)) == .corrupt)
        #expect(code(RawEngineError(domain: Self.stream, code: 12)) == .encrypted)
        #expect(code(RawEngineError(domain: "gst-library-error-quark", code: 1)) == .engineFailure)
    }

    @Test func everyCodeHasAStableNameAndASentenceWithPlaceAndAdvice() {
        for code in EngineError.Code.allCases {
            let text = EngineError(code: code, location: "x.mp4", detail: "why").description
            #expect(text.hasPrefix("'x.mp4' "))
            #expect(text.contains("(why); "))
            #expect(code.rawValue.allSatisfy { $0.isLowercase || $0 == "_" })
        }
    }
}
