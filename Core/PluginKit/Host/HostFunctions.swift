internal import PluginABI

// The host's tables with every function optional, member by member as in the headers: a shorter table of an older host
// is copied over a zeroed one, and what it does not have is nil.

typealias HostPointer = UnsafePointer<tally_host>

/// `tally_host`.
@safe struct HostFunctions {
    var structSize: UInt32 = 0
    var abiMinor: UInt32 = 0
    var hostData: UnsafeMutableRawPointer?
    var log: (@convention(c) (HostPointer, Int32, tally_str) -> Void)?
    var setError: (@convention(c) (HostPointer, Int32, tally_str) -> Void)?
    var getExtension: (@convention(c) (HostPointer, UnsafePointer<CChar>) -> UnsafeRawPointer?)?
}

/// `tally_emit`.
@safe struct EmitFunctions {
    var structSize: UInt32 = 0
    var reserved: UInt32 = 0
    var record:
        (@convention(c) (HostPointer, UnsafePointer<tally_record>, UnsafeMutablePointer<UInt64>?) -> tally_status)?
    var beacon: (@convention(c) (HostPointer, UnsafePointer<tally_beacon>) -> tally_status)?
    var playerError: (@convention(c) (HostPointer, tally_str, tally_str, tally_str) -> tally_status)?
}

/// `tally_timer`.
@safe struct TimerFunctions {
    var structSize: UInt32 = 0
    var reserved: UInt32 = 0
    var start: (@convention(c) (HostPointer, Int64, UInt32, UnsafeMutablePointer<UInt64>) -> tally_status)?
    var cancel: (@convention(c) (HostPointer, UInt64) -> Void)?
}

/// `tally_random`.
@safe struct RandomFunctions {
    var structSize: UInt32 = 0
    var reserved: UInt32 = 0
    var next: (@convention(c) (HostPointer) -> UInt64)?
}

/// `tally_store`.
@safe struct StoreFunctions {
    var structSize: UInt32 = 0
    var reserved: UInt32 = 0
    var put: (@convention(c) (HostPointer, tally_str, tally_str) -> tally_status)?
}

/// `tally_host_reporter`.
@safe struct ReporterFunctions {
    var structSize: UInt32 = 0
    var flags: UInt32 = 0
    var ready: (@convention(c) (HostPointer) -> Void)?
    var flushed: (@convention(c) (HostPointer, UInt64, UInt64, UInt64, UInt64) -> Void)?
}

/// `tally_host_status`.
@safe struct StatusFunctions {
    var structSize: UInt32 = 0
    var reserved: UInt32 = 0
    var write: (@convention(c) (HostPointer, UnsafePointer<tally_sink>) -> tally_status)?
}

/// Reading structures of the other side, which may be shorter or longer than ours.
package enum ForeignStructure {
    /// Copies as much of a structure as both sides know of over `zeroed`; the first four bytes are its size.
    package static func copy<Foreign, Local>(_ foreign: UnsafePointer<Foreign>, into zeroed: Local) -> Local {
        var local = zeroed
        let size = unsafe UnsafeRawPointer(foreign).loadUnaligned(as: UInt32.self)
        unsafe withUnsafeMutableBytes(of: &local) { bytes in
            unsafe bytes.copyMemory(
                from: UnsafeRawBufferPointer(start: foreign, count: min(Int(size), bytes.count))
            )
        }
        return local
    }
}
