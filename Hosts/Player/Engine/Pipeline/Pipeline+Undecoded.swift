import CGStreamer

extension Pipeline {
    /// What goes to the sinks as it is when nothing is decoded.
    private static let undecoded = [
        "video/x-h264", "video/x-h265", "video/x-vp8", "video/x-vp9", "video/x-av1", "video/mpeg", "video/x-raw",
        "audio/mpeg", "audio/x-opus", "audio/x-vorbis", "audio/x-ac3", "audio/x-eac3", "audio/x-flac", "audio/x-raw",
    ].joined(separator: ";")

    /// Lets what the parsers give out go to the sinks as it is.
    ///
    /// The bin that chooses the decoders is a child of the pipeline from its making on, and hands its formats on.
    func leaveUndecoded() {
        let bin = unsafe UnsafeMutableRawPointer(element).assumingMemoryBound(to: GstBin.self)
        var next = unsafe bin.pointee.children
        while let node = unsafe next {
            if let child = unsafe node.pointee.data {
                unsafe GObjectProperties(child.assumingMemoryBound(to: GstElement.self)).set("caps", Self.undecoded)
            }
            unsafe next = node.pointee.next
        }
        unsafe tap.connectExtentProbe(to: videoSink)
        unsafe tap.connectExtentProbe(to: audioSink)
    }
}
