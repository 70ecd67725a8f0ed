// Trackers and reporters in Rust: traits in place of tables of functions. One file without dependencies, for Rust 1.63
// and later and crates of the edition 2021; put it into the root of your crate, with
// `mod tally { include!(env!("TALLY_PLUGIN_RS")); }`.
//
//     struct Pauses { count: i64 }
//     impl tally::Tracker for Pauses {
//         const ABOUT: tally::About = tally::About::new("org.example.pauses\0", "Pauses\0", "Example\0", "1.0.0\0");
//         fn new() -> Self { Pauses { count: 0 } }
//         fn on_event(&mut self, _: &tally::Host, event: &tally::Event) -> tally::Outcome {
//             self.count += (event.kind() == tally::event_type::PAUSE) as i64;
//             Ok(())
//         }
//         fn session_end(
//             &mut self, host: &tally::Host, _: u32, _: i64, _: &tally::abi::tally_state,
//         ) -> tally::Outcome {
//             host.emit(tally::Record::new("summary").int("pauses", self.count))
//         }
//     }
//     tally::tally_tracker!(Pauses);
//
// Events and texts are lent: the borrow checker holds them to the call. Calls of one instance come one by one: those of
// a tracker not always on the same thread, those of a reporter always. A panic does not leave the plugin: the call
// fails with TALLY_ERR_INTERNAL, the panic's text and its place, and nothing is written to standard error; where a call
// returns nothing, an error becomes a line of the host's log. Build with `panic = "unwind"`, which is the default.
// Which call of the headers is reached by what is in README.md of Plugins/Wrappers in a checkout.

use std::cell::RefCell;
use std::ffi::{c_void, CStr};
use std::os::raw::c_char;
use std::panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe};
use std::sync::{Arc, Once, RwLock, RwLockReadGuard, RwLockWriteGuard};

// ---- the C interface: structures as in the headers, and numbers in a module for each group ----

/// The structures of the C headers, by their names there.
///
/// What each member means, in which unit, and who owns what it points at is in the header of the same name.
#[allow(non_camel_case_types, dead_code, missing_docs)]
pub mod abi {
    use super::{c_char, c_void};

    pub type tally_status = i32;
    type Call<T> = Option<T>;

    /// UTF-8 text that is lent.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tally_str {
        pub ptr: *const c_char,
        pub len: usize,
    }

    /// The union of a value; the type says which member holds.
    #[repr(C)]
    #[derive(Clone, Copy)]
    pub union tally_attr_v {
        pub i: i64,
        pub d: f64,
        pub off: u64,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tally_attr {
        pub key_off: u32,
        pub key_len: u16,
        pub key_id: u16,
        pub r#type: u8,
        pub flags: u8,
        pub reserved0: u16,
        pub len: u32,
        pub v: tally_attr_v,
    }

    /// The player as it is known at one instant.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, Default)]
    pub struct tally_state {
        pub struct_size: u32,
        pub known: u32,
        pub flags: u32,
        pub rate_milli: i32,
        pub playhead_ms: i64,
        pub reported_playhead_ms: i64,
        pub reported_age_us: i64,
        pub ad_playhead_ms: i64,
        pub live_wall_ms: i64,
        pub duration_ms: i64,
        pub bitrate_bps: i64,
        pub throughput_bps: i64,
        pub dropped_frames: i64,
        pub rendered_frames: i64,
        pub fps_milli: i32,
        pub width: i32,
        pub height: i32,
        pub volume_milli: i32,
        pub player_width: i32,
        pub player_height: i32,
    }

    #[repr(C)]
    pub struct tally_event {
        pub size: u32,
        pub header_size: u32,
        pub r#type: u32,
        pub flags: u32,
        pub time_us: i64,
        pub ordinal: u64,
        pub session: u32,
        pub type_name_off: u32,
        pub type_name_len: u32,
        pub state_off: u32,
        pub attr_off: u32,
        pub attr_count: u32,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tally_record {
        pub size: u32,
        pub header_size: u32,
        pub flags: u32,
        pub kind_off: u32,
        pub kind_len: u32,
        pub attr_off: u32,
        pub attr_count: u32,
        pub reserved0: u32,
    }

    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct tally_patch {
        pub part: u32,
        pub kind: u32,
        pub off: u64,
        pub width: u64,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tally_header {
        pub name: tally_str,
        pub value: tally_str,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tally_beacon {
        pub struct_size: u32,
        pub flags: u32,
        pub destination: tally_str,
        pub method: tally_str,
        pub url: tally_str,
        pub body: tally_str,
        pub headers: *const tally_header,
        pub header_count: u64,
        pub credential: tally_str,
        pub patches: *const tally_patch,
        pub patch_count: u64,
        pub records: *const u64,
        pub record_count: u64,
        pub max_age_s: i64,
    }

    #[repr(C)]
    pub struct tally_host {
        pub struct_size: u32,
        pub abi_minor: u32,
        pub host_data: *mut c_void,
        pub log: Call<unsafe extern "C" fn(*const tally_host, i32, tally_str)>,
        pub set_error: Call<unsafe extern "C" fn(*const tally_host, i32, tally_str)>,
        pub get_extension: Call<unsafe extern "C" fn(*const tally_host, *const c_char) -> *const c_void>,
    }

    #[repr(C)]
    pub struct tally_plugin {
        pub struct_size: u32,
        pub reserved0: u32,
        pub plugin_data: *mut c_void,
        pub init: Call<unsafe extern "C" fn(*const tally_plugin, tally_str) -> tally_status>,
        pub enable: Call<unsafe extern "C" fn(*const tally_plugin) -> tally_status>,
        pub disable: Call<unsafe extern "C" fn(*const tally_plugin)>,
        pub destroy: Call<unsafe extern "C" fn(*const tally_plugin)>,
        pub get_extension: Call<unsafe extern "C" fn(*const tally_plugin, *const c_char) -> *const c_void>,
    }

    #[repr(C)]
    pub struct tally_descriptor {
        pub struct_size: u32,
        pub abi_minor: u32,
        pub kind: u32,
        pub caps: u32,
        pub id: *const c_char,
        pub name: *const c_char,
        pub vendor: *const c_char,
        pub version: *const c_char,
        pub config_schema: *const c_char,
        pub requires_extensions: *const *const c_char,
        pub shared_config: *const *const c_char,
        pub store_keys: *const *const c_char,
        pub build: *const c_char,
        pub wanted_events: *const u32,
        pub read_paths: *const *const c_char,
        pub written_paths: *const *const c_char,
    }

    #[repr(C)]
    pub struct tally_run_info {
        pub struct_size: u32,
        pub semantics: u32,
        pub player_run_id: tally_str,
        pub instance: tally_str,
        pub epoch_us: i64,
        pub stored: *const tally_record,
    }

    #[repr(C)]
    pub struct tally_entry {
        pub struct_size: u32,
        pub abi_minor: u32,
        pub count: u32,
        pub reserved0: u32,
        pub entry_data: *mut c_void,
        pub descriptor: Call<unsafe extern "C" fn(*const tally_entry, u32) -> *const tally_descriptor>,
        pub create: Call<
            unsafe extern "C" fn(
                *const tally_entry, *const tally_host, *const c_char, *const tally_run_info,
            ) -> *const tally_plugin,
        >,
    }

    #[repr(C)]
    pub struct tally_tracker {
        pub struct_size: u32,
        pub reserved0: u32,
        pub session_begin: Call<unsafe extern "C" fn(*const tally_plugin, *const tally_event) -> tally_status>,
        pub on_event: Call<unsafe extern "C" fn(*const tally_plugin, *const tally_event) -> tally_status>,
        pub on_timer: Call<unsafe extern "C" fn(*const tally_plugin, u64, i64, *const tally_state)>,
        pub session_end: Call<unsafe extern "C" fn(*const tally_plugin, u32, i64, *const tally_state)>,
    }

    #[repr(C)]
    pub struct tally_emit {
        pub struct_size: u32,
        pub reserved0: u32,
        pub record: Call<unsafe extern "C" fn(*const tally_host, *const tally_record, *mut u64) -> tally_status>,
        pub beacon: Call<unsafe extern "C" fn(*const tally_host, *const tally_beacon) -> tally_status>,
        pub player_error:
            Call<unsafe extern "C" fn(*const tally_host, tally_str, tally_str, tally_str) -> tally_status>,
    }

    #[repr(C)]
    pub struct tally_timer {
        pub struct_size: u32,
        pub reserved0: u32,
        pub start: Call<unsafe extern "C" fn(*const tally_host, i64, u32, *mut u64) -> tally_status>,
        pub cancel: Call<unsafe extern "C" fn(*const tally_host, u64)>,
    }

    #[repr(C)]
    pub struct tally_random {
        pub struct_size: u32,
        pub reserved0: u32,
        pub next_u64: Call<unsafe extern "C" fn(*const tally_host) -> u64>,
    }

    #[repr(C)]
    pub struct tally_store {
        pub struct_size: u32,
        pub reserved0: u32,
        pub put: Call<unsafe extern "C" fn(*const tally_host, tally_str, tally_str) -> tally_status>,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct tally_origin {
        pub struct_size: u32,
        pub session: u32,
        pub player_run_id: tally_str,
        pub plugin_id: tally_str,
        pub plugin_version: tally_str,
        pub instance: tally_str,
        pub ordinal: u64,
        pub time_us: i64,
        pub epoch_us: i64,
        pub video_id: tally_str,
    }

    #[repr(C)]
    pub struct tally_output {
        pub struct_size: u32,
        pub what: u32,
        pub origin: *const tally_origin,
        pub item: *const c_void,
    }

    #[repr(C)]
    pub struct tally_reporter {
        pub struct_size: u32,
        pub wants: u32,
        pub take: Call<unsafe extern "C" fn(*const tally_plugin, *const *const tally_output, u64) -> i64>,
        pub flush: Call<unsafe extern "C" fn(*const tally_plugin, u64, tally_str, u32, i64)>,
    }

    #[repr(C)]
    pub struct tally_host_reporter {
        pub struct_size: u32,
        pub flags: u32,
        pub ready: Call<unsafe extern "C" fn(*const tally_host)>,
        pub flushed: Call<unsafe extern "C" fn(*const tally_host, u64, u64, u64, u64)>,
    }

    #[repr(C)]
    pub struct tally_sink {
        pub ctx: *mut c_void,
        pub write: Call<unsafe extern "C" fn(*const tally_sink, *const c_void, usize) -> tally_status>,
    }

    #[repr(C)]
    pub struct tally_host_status {
        pub struct_size: u32,
        pub reserved0: u32,
        pub write: Call<unsafe extern "C" fn(*const tally_host, *const tally_sink) -> tally_status>,
    }

    #[repr(C)]
    pub struct tally_configure {
        pub struct_size: u32,
        pub reserved0: u32,
        pub configure:
            Call<unsafe extern "C" fn(*const tally_plugin, tally_str, i64, *const tally_state) -> tally_status>,
    }

    #[repr(C)]
    pub struct tally_command {
        pub struct_size: u32,
        pub reserved0: u32,
        pub run: Call<
            unsafe extern "C" fn(
                *const tally_plugin, tally_str, tally_str, i64, *const tally_state, *const tally_sink,
            ) -> tally_status,
        >,
        pub list: Call<unsafe extern "C" fn(*const tally_plugin) -> tally_str>,
    }
}

macro_rules! numbers {
    ($(#[$about:meta])* $group:ident: $type:ty { $($name:ident $value:literal)* }) => {
        $(#[$about])*
        #[allow(dead_code, missing_docs)]
        pub mod $group { $(pub const $name: $type = $value;)* }
    };
}

// BEGIN numbers: made from the headers by Scripts/vocabulary
numbers! {
    /// Types of an event.
    event_type: u32 {
        VIDEO_LOAD 1  VIDEO_UNLOAD 2  PLAY 3  FIRST_FRAME 4  PAUSE 5  COMPLETE 6  SEEK_START 7  SEEK_COMPLETE 8
        BUFFER_START 9  BUFFER_COMPLETE 10  AD_BREAK_START 11  AD_BREAK_COMPLETE 12  AD_START 13  AD_COMPLETE 14
        AD_SKIP 15  AD_CLICK 16  AD_QUARTILE 17  AD_ERROR 18  CHAPTER_START 19  CHAPTER_COMPLETE 20  CHAPTER_SKIP 21
        RENDITION_CHANGE 22  QUALITY_SAMPLE 23  PLAYHEAD_SAMPLE 24  REQUEST_COMPLETED 25  REQUEST_FAILED 26
        REQUEST_CANCELLED 27  PLAYER_ERROR 28  APPLICATION_ERROR 29  PLAYER_READY 30  METADATA_CHANGE 31  CUSTOM 32
        APPLICATION_LAUNCHED 33  APPLICATION_TERMINATED 34  APPLICATION_FOREGROUND 35  APPLICATION_BACKGROUND 36
        INTERRUPTION_START 37  INTERRUPTION_END 38  CONSENT 39  SESSION_SNAPSHOT 256  PLUGIN_ENABLED 257
        PLUGIN_DISABLED 258  PLUGIN_CONFIGURED 259  PLUGIN_REPLACED 260  CLOCK_STEP 261  SYSTEM_SUSPENDED 262
        PLUGIN_LOADED 263  PLUGIN_COMMAND 264  FIRST_UNKNOWN 0x10000
    }
}
numbers! {
    /// Bits of an event's flags.
    event_flag: u32 {
        OUT_OF_ORDER 0x1  SYNTHETIC 0x2  MOVED 0x4  GAP_BEFORE 0x8
    }
}
numbers! {
    /// Numbers of well-known attributes.
    key: u32 {
        VIDEO_ID 1  VIDEO_NAME 2  VIDEO_URL 3  PLAYER_NAME 4  PLAYER_VERSION 5  STREAM_TYPE 6  VIDEO_LANGUAGE 7
        VIDEO_MIME_TYPE 8  VIDEO_CODEC 9  AUDIO_CODEC 10  VIDEO_CDN 11  AUTOPLAY 12  APPLICATION_NAME 13
        APPLICATION_VERSION 14  USER_ID 15  PLAYER_LANGUAGE 16  SUBTITLE_LANGUAGE 17  AD_BREAK_ID 32  AD_BREAK_NAME 33
        AD_BREAK_POSITION 34  AD_BREAK_START_MS 35  AD_BREAK_TYPE 36  AD_BREAK_PLAYER_NAME 37  AD_ID 48  AD_NAME 49
        AD_DURATION_MS 50  AD_POSITION 51  AD_CPM 52  AD_URL 53  AD_LANGUAGE 54  AD_CREATIVE_ID 55  AD_UNIVERSAL_ID 56
        AD_PARTNER 57  AD_TAG_URL 58  AD_CLICK_URL 59  AD_SKIP_AFTER_MS 60  AD_QUARTILE 61  CHAPTER_NAME 64
        CHAPTER_POSITION 65  CHAPTER_START_MS 66  CHAPTER_DURATION_MS 67  RENDITION_PHASE 80  RENDITION_CAUSE 81
        RENDITION_SHIFT 82  RENDITION_NAME 83  RENDITION_BITRATE_BPS 84  RENDITION_WIDTH 85  RENDITION_HEIGHT 86
        RENDITION_FPS_MILLI 87  RENDITION_CODEC 88  SEEK_FROM_MS 96  SEEK_TO_MS 97  BUFFER_CAUSE 98  BUFFER_LENGTH_MS 99
        STARTUP_TIME_MS 100  LIVE_EDGE_WALL_MS 101  FIRST_PICTURE_TIME_MS 102  REQUEST_URL 112  REQUEST_HOST 113
        REQUEST_TYPE 114  REQUEST_ID 115  REQUEST_STATUS 116  REQUEST_BYTES 117  REQUEST_DURATION_MS 118
        REQUEST_FIRST_BYTE_MS 119  REQUEST_MEDIA_START_MS 120  REQUEST_MEDIA_DURATION_MS 121  REQUEST_BITRATE_BPS 122
        REQUEST_WIDTH 123  REQUEST_HEIGHT 124  ERROR_ID 128  ERROR_MESSAGE 129  ERROR_DOMAIN 130  ERROR_CODE 131
        ERROR_FATAL 132  ERROR_CONTEXT 133  CUSTOM_NAME 144  RUNNING_TIME_MS 145  INTERRUPTION_REASON 146
        CONSENT_SCOPE 147  CONSENT_STATE 148  IMPLICIT 149  GAP_SAMPLES 160  GAP_QUALITY_SAMPLES 161  GAP_EVENTS 162
        JOINED 163  LOADED_AT_US 164  FIRST_PLAY_AT_US 165  PLUGIN 166  PLUGIN_VERSION 167  PLUGIN_SHA256 168  CAUSE 169
        CONFIGURATION 170  STEP_US 171  PLUGIN_ID 172  PLUGIN_ENABLED 173  PLUGIN_STORED 174  PLUGIN_COMMAND 175
        PLUGIN_ARGUMENTS 176  PLUGIN_REPLACEMENT 177
    }
}
numbers! {
    /// Types of an attribute's value.
    value_type: u32 {
        NULL 0  BOOL 1  INT 2  DOUBLE 3  STRING 4  LIST 5  BYTES 6
    }
}
numbers! {
    /// Bits of an attribute's flags.
    attribute_flag: u32 {
        CUSTOM 1  PERSONAL 2
    }
}
numbers! {
    /// Which members of the state hold something.
    known: u32 {
        PLAYHEAD 0x1  AD_PLAYHEAD 0x2  LIVE_WALL 0x4  DURATION 0x8  BITRATE 0x10  THROUGHPUT 0x20  DROPPED 0x40
        RENDERED 0x80  FPS 0x100  SIZE 0x200  VOLUME 0x400  RATE 0x800  PLAYER_SIZE 0x1000  MUTED 0x2000
        FULLSCREEN 0x4000  LIVE 0x8000  AUDIO_ONLY 0x10000
    }
}
numbers! {
    /// Bits of the state's flags.
    state_flag: u32 {
        IN_SESSION 0x1  PLAYING 0x2  PAUSED 0x4  SEEKING 0x8  BUFFERING 0x10  IN_AD_BREAK 0x20  IN_AD 0x40
        IN_CHAPTER 0x80  STARTED 0x100  ENDED 0x200  INTERRUPTED 0x400  BACKGROUND 0x800  MUTED 0x10000
        FULLSCREEN 0x20000  LIVE 0x40000  AUDIO_ONLY 0x80000
    }
}
numbers! {
    /// What a plugin is.
    plugin_kind: u32 {
        TRACKER 0x1  REPORTER 0x2
    }
}
numbers! {
    /// What a plugin says of itself.
    cap: u32 {
        DETERMINISTIC 0x1  OWN_THREADS 0x2  NETWORK 0x4  HANDLES_CONSENT 0x8  SPILLS 0x10  LISTENS 0x20
        SHARES_STATE 0x40  STREAMS 0x80
    }
}
numbers! {
    /// Why a session ends for a tracker.
    end: u32 {
        UNLOAD 1  DISABLE 2  REPLACE 3  SHUTDOWN 4
    }
}
numbers! {
    /// How long a timer lives.
    timer_scope: u32 {
        SESSION 1  INSTANCE 2
    }
}
numbers! {
    /// Kinds of an output.
    output: u32 {
        EVENT 1  RECORD 2  BEACON 3  SESSION_BEGIN 4  SESSION_END 5  RUN_BEGIN 6  RUN_END 7  GAP 8  LINE 9
    }
}
numbers! {
    /// Further bits of what a reporter is handed.
    wants: u32 {
        RECOVERED 0x80000000
    }
}
numbers! {
    /// What a host says of itself to a reporter.
    host_flag: u32 {
        WAITS_FOR_ROOM 0x1  GOES_ON 0x2
    }
}
numbers! {
    /// What is written into a beacon when it is sent.
    patch: u32 {
        SEND_EPOCH_MS 1  SEND_EPOCH_S 2  ATTEMPT 3
    }
}
numbers! {
    /// Where in a beacon that is.
    part: u32 {
        URL 1  BODY 2
    }
}
numbers! {
    /// Bits of a beacon's flags.
    beacon: u32 {
        GZIP_WANTED 0x1  DROP_IF_OFFLINE 0x2  NO_RETRY 0x4  KEEP_ORDER 0x8
    }
}
numbers! {
    /// Levels of the host's log.
    log_level: i32 {
        DEBUG 0  INFO 1  WARN 2  ERROR 3
    }
}
numbers! {
    /// The version of the headers.
    abi_version: u32 {
        MAJOR 1  MINOR 0
    }
}
numbers! {
    /// What a call answers.
    status: i32 {
        OK 0  ERR_INVALID -1  ERR_UNSUPPORTED -2  ERR_STATE -3  ERR_CONFIG -4  ERR_IO -5  ERR_INTERNAL -6
        ERR_TOO_LARGE -7  ERR_NOT_FOUND -8
    }
}
// END numbers

/// Names of the extensions, each ended by "\0" as C reads it.
#[allow(dead_code, missing_docs)]
pub mod extension {
    pub const TRACKER: &str = "tally.tracker/1\0";
    pub const REPORTER: &str = "tally.reporter/1\0";
    pub const CONFIGURE: &str = "tally.configure/1\0";
    pub const COMMAND: &str = "tally.command/1\0";
    pub const EMIT: &str = "tally.emit/1\0";
    pub const TIMER: &str = "tally.timer/1\0";
    pub const RANDOM: &str = "tally.random/1\0";
    pub const STORE: &str = "tally.store/1\0";
    pub const HOST_REPORTER: &str = "tally.host-reporter/1\0";
    pub const STATUS: &str = "tally.status/1\0";
}

// ---- reading ----

/// A value that is owned: what an attribute holds, or what is to go into a record.
#[allow(dead_code)]
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Said to be nothing, which differs from an attribute that is absent.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number. In a record one of 2^53 and more in magnitude becomes a `Double`, as the data model has it.
    Int(i64),
    /// Any other number. In a record a whole one becomes an `Int`.
    Double(f64),
    /// Text, at most 64 KiB.
    Str(String),
    /// Any bytes.
    Bytes(Vec<u8>),
    /// Values in their order, at most 8 lists deep.
    List(Vec<Value>),
}

/// One named value of an event or a record. It is lent until the call returns.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    block: *const u8,
    raw: &'a abi::tally_attr,
}

#[allow(dead_code)]
impl<'a> Attribute<'a> {
    /// The structure of the headers.
    pub fn raw(&self) -> &'a abi::tally_attr {
        self.raw
    }

    /// The name, also of one that has no number; empty in a list.
    pub fn key(&self) -> &'a str {
        // SAFETY: the host has checked that the offsets of a block lie in it.
        unsafe { text(self.block, self.raw.key_off as u64, self.raw.key_len as usize) }
    }

    /// The whole number, where it is one.
    pub fn int(&self) -> Option<i64> {
        // SAFETY: the type says which member of the union holds; so in what follows.
        if self.is(value_type::INT) { Some(unsafe { self.raw.v.i }) } else { None }
    }

    /// The number that is not whole, where it is one.
    pub fn double(&self) -> Option<f64> {
        if self.is(value_type::DOUBLE) { Some(unsafe { self.raw.v.d }) } else { None }
    }

    /// The number, whole or not, where it is one.
    pub fn number(&self) -> Option<f64> {
        self.double().or_else(|| self.int().map(|whole| whole as f64))
    }

    /// The truth value, where it is one.
    pub fn bool(&self) -> Option<bool> {
        if self.is(value_type::BOOL) { Some(unsafe { self.raw.v.i } != 0) } else { None }
    }

    /// The text, where it is one. It is lent until the call returns.
    pub fn str(&self) -> Option<&'a str> {
        if !self.is(value_type::STRING) { return None }
        // SAFETY: the type says that the offset is one, and the host has checked that it lies in the block; so below.
        Some(unsafe { text(self.block, self.raw.v.off, self.raw.len as usize) })
    }

    /// The bytes, where they are no text. They are lent until the call returns.
    pub fn bytes(&self) -> Option<&'a [u8]> {
        if !self.is(value_type::BYTES) { return None }
        Some(unsafe { bytes(self.block, self.raw.v.off, self.raw.len as usize) })
    }

    /// The values of a list, where it is one; they have no names.
    pub fn list(&self) -> Option<impl Iterator<Item = Attribute<'a>> + 'a> {
        if !self.is(value_type::LIST) { return None }
        Some(unsafe { attributes(self.block, self.raw.v.off as usize, self.raw.len) })
    }

    /// A copy of the value; nothing for a type that a newer host may have.
    pub fn value(&self) -> Option<Value> {
        match self.raw.r#type as u32 {
            value_type::NULL => Some(Value::Null),
            value_type::BOOL => self.bool().map(Value::Bool),
            value_type::INT => self.int().map(Value::Int),
            value_type::DOUBLE => self.double().map(Value::Double),
            value_type::STRING => self.str().map(|text| Value::Str(text.to_string())),
            value_type::BYTES => self.bytes().map(|bytes| Value::Bytes(bytes.to_vec())),
            value_type::LIST => Some(Value::List(self.list()?.filter_map(|item| item.value()).collect())),
            _ => None,
        }
    }

    /// Whether it may tell who the viewer is.
    pub fn is_personal(&self) -> bool {
        self.raw.flags as u32 & attribute_flag::PERSONAL != 0
    }

    /// Whether the application has named it.
    pub fn is_custom(&self) -> bool {
        self.raw.flags as u32 & attribute_flag::CUSTOM != 0
    }

    fn is(&self, kind: u32) -> bool {
        self.raw.r#type as u32 == kind
    }
}

/// What the player did. It is lent until the call returns.
pub struct Event<'a> {
    raw: &'a abi::tally_event,
}

#[allow(dead_code)]
impl<'a> Event<'a> {
    fn base(&self) -> *const u8 {
        self.raw as *const abi::tally_event as *const u8
    }

    /// The structure of the headers.
    pub fn raw(&self) -> &'a abi::tally_event {
        self.raw
    }

    /// One of `event_type`. Ignore those that you do not know.
    pub fn kind(&self) -> u32 {
        self.raw.r#type
    }

    /// The name, such as "pause", also of a type that has no number. It is lent until the call returns.
    pub fn name(&self) -> &'a str {
        // SAFETY: the host has checked that the offsets of an event lie in it; so in what follows.
        unsafe { text(self.base(), self.raw.type_name_off as u64, self.raw.type_name_len as usize) }
    }

    /// When it happened, which is now: us since the run's start.
    pub fn time_us(&self) -> i64 {
        self.raw.time_us
    }

    /// Which one it is: counts the player's events of the run from 1.
    pub fn ordinal(&self) -> u64 {
        self.raw.ordinal
    }

    /// Counts the sessions of the run from 1; 0 outside a session.
    pub fn session(&self) -> u32 {
        self.raw.session
    }

    /// Bits of `event_flag`.
    pub fn flags(&self) -> u32 {
        self.raw.flags
    }

    /// The player as it is known behind the event; a copy.
    pub fn state(&self) -> abi::tally_state {
        unsafe { copied(self.base().add(self.raw.state_off as usize) as *const abi::tally_state) }
    }

    /// The attributes in the player's order.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + 'a {
        unsafe { attributes(self.base(), self.raw.attr_off as usize, self.raw.attr_count) }
    }

    /// The attribute with this number, one of `key`.
    pub fn find(&self, key: u32) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.raw.key_id as u32 == key)
    }

    /// The attribute of this name, which an application may have chosen.
    pub fn find_name(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.key() == name)
    }
}

/// A record as a reporter reads it. It is lent until the call returns.
pub struct Said<'a> {
    raw: &'a abi::tally_record,
}

#[allow(dead_code)]
impl<'a> Said<'a> {
    fn base(&self) -> *const u8 {
        self.raw as *const abi::tally_record as *const u8
    }

    /// The structure of the headers.
    pub fn raw(&self) -> &'a abi::tally_record {
        self.raw
    }

    /// The kind, such as "summary".
    pub fn kind(&self) -> &'a str {
        // SAFETY: the host has checked that the offsets of a record lie in it; so below.
        unsafe { text(self.base(), self.raw.kind_off as u64, self.raw.kind_len as usize) }
    }

    /// The attributes in their order.
    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + 'a {
        unsafe { attributes(self.base(), self.raw.attr_off as usize, self.raw.attr_count) }
    }

    /// The attribute of this name.
    pub fn find(&self, name: &str) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.key() == name)
    }
}

/// A beacon as a reporter reads it. What it answers is lent until the call returns.
pub struct Sent<'a> {
    raw: abi::tally_beacon,
    lent: std::marker::PhantomData<&'a abi::tally_beacon>,
}

#[allow(dead_code)]
impl<'a> Sent<'a> {
    // SAFETY in all of these: the host lends what the beacon points at until the call returns.

    /// The structure of the headers; a copy.
    pub fn raw(&self) -> &abi::tally_beacon {
        &self.raw
    }

    /// The lasting key for order, back-off and credentials.
    pub fn destination(&self) -> &'a str {
        unsafe { view(self.raw.destination) }
    }

    /// The method of HTTP.
    pub fn method(&self) -> &'a str {
        unsafe { view(self.raw.method) }
    }

    /// The address, with zeros where patches lie.
    pub fn url(&self) -> &'a str {
        unsafe { view(self.raw.url) }
    }

    /// The body, with zeros where patches lie.
    pub fn body(&self) -> &'a [u8] {
        unsafe { bytes(self.raw.body.ptr as *const u8, 0, self.raw.body.len) }
    }

    /// The name of the secret that the reporter adds; empty: none.
    pub fn credential(&self) -> &'a str {
        unsafe { view(self.raw.credential) }
    }

    /// The headers in their order, each a name and a value.
    pub fn headers(&self) -> impl Iterator<Item = (&'a str, &'a str)> + 'a {
        let all: &'a [abi::tally_header] = unsafe { slice(self.raw.headers, self.raw.header_count) };
        all.iter().map(|header| unsafe { (view(header.name), view(header.value)) })
    }

    /// What is written over each time that it is sent.
    pub fn patches(&self) -> &'a [abi::tally_patch] {
        unsafe { slice(self.raw.patches, self.raw.patch_count) }
    }

    /// Ordinals of the records that it carries.
    pub fn records(&self) -> &'a [u64] {
        unsafe { slice(self.raw.records, self.raw.record_count) }
    }

    /// Bits of `beacon`.
    pub fn flags(&self) -> u32 {
        self.raw.flags
    }

    /// How old it may become, s; 0: as the reporter has it.
    pub fn max_age_s(&self) -> i64 {
        self.raw.max_age_s
    }
}

unsafe fn slice<'a, T>(first: *const T, count: u64) -> &'a [T] {
    if first.is_null() || count == 0 { &[] } else { std::slice::from_raw_parts(first, count as usize) }
}

unsafe fn bytes<'a>(base: *const u8, offset: u64, length: usize) -> &'a [u8] {
    if base.is_null() || length == 0 { &[] } else { std::slice::from_raw_parts(base.add(offset as usize), length) }
}

/// The text at an offset. What is not UTF-8, which no host hands over, is empty.
unsafe fn text<'a>(base: *const u8, offset: u64, length: usize) -> &'a str {
    std::str::from_utf8(bytes(base, offset, length)).unwrap_or("")
}

unsafe fn attributes<'a>(base: *const u8, offset: usize, count: u32) -> impl Iterator<Item = Attribute<'a>> + 'a {
    let first = base.add(offset) as *const abi::tally_attr;
    (0..count as usize).map(move |index| Attribute { block: base, raw: &*first.add(index) })
}

unsafe fn view<'a>(lent: abi::tally_str) -> &'a str {
    text(lent.ptr as *const u8, 0, lent.len)
}

fn lend(text: &str) -> abi::tally_str {
    lend_bytes(text.as_bytes())
}

fn lend_bytes(bytes: &[u8]) -> abi::tally_str {
    abi::tally_str { ptr: bytes.as_ptr() as *const c_char, len: bytes.len() }
}

/// A structure that begins with its size: no more of it than it has, and the rest zero, which stands for "not offered".
unsafe fn copied<T>(from: *const T) -> T {
    let mut into = std::mem::MaybeUninit::<T>::zeroed();
    if !from.is_null() {
        let size = (*(from as *const u32) as usize).min(std::mem::size_of::<T>());
        std::ptr::copy_nonoverlapping(from as *const u8, into.as_mut_ptr() as *mut u8, size);
    }
    into.assume_init()
}

// ---- what a plugin says ----

/// Why a call fails.
#[derive(Clone, Debug)]
pub struct Error {
    /// One of `status` that is negative; any other counts as `status::ERR_INTERNAL`.
    pub status: i32,
    /// A sentence for people, which the host logs.
    pub why: String,
}

/// What calls answer that have nothing else to say.
pub type Outcome = Result<(), Error>;

#[allow(dead_code)]
impl Error {
    /// A fault of the plugin.
    pub fn new(why: impl Into<String>) -> Self {
        Error::with(status::ERR_INTERNAL, why)
    }

    /// An error with one of `status`.
    pub fn with(status: i32, why: impl Into<String>) -> Self {
        Error { status, why: why.into() }
    }

    /// The configuration cannot be used.
    pub fn configuration(why: impl Into<String>) -> Self {
        Error::with(status::ERR_CONFIG, why)
    }

    /// There is no such thing: a command that the plugin does not have.
    pub fn not_found(why: impl Into<String>) -> Self {
        Error::with(status::ERR_NOT_FOUND, why)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.write_str(&self.why)
    }
}

impl std::error::Error for Error {}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Error::with(status::ERR_IO, error.to_string())
    }
}

/// A record that is being built. A name is in it once; the host refuses what is beyond the limits.
pub struct Record {
    attributes: Vec<abi::tally_attr>,
    /// The values of lists, one list behind the other.
    items: Vec<abi::tally_attr>,
    texts: Vec<u8>,
    kind_length: usize,
}

/// Below this in magnitude a whole number is an integer, 2^53.
const WHOLE_BELOW: i64 = 9_007_199_254_740_992;

#[allow(dead_code)]
impl Record {
    /// Begins one of this kind, such as "summary": 1 to 255 bytes.
    pub fn new(kind: &str) -> Self {
        Record { attributes: Vec::new(), items: Vec::new(), texts: kind.as_bytes().to_vec(), kind_length: kind.len() }
    }

    /// Adds a whole number.
    pub fn int(self, key: &str, value: i64) -> Self {
        self.set(key, &Value::Int(value))
    }

    /// Adds a truth value.
    pub fn bool(self, key: &str, value: bool) -> Self {
        self.set(key, &Value::Bool(value))
    }

    /// Adds a number. A whole one becomes an integer, as records have it.
    pub fn double(self, key: &str, value: f64) -> Self {
        self.set(key, &Value::Double(value))
    }

    /// Adds a text; it is copied.
    pub fn str(mut self, key: &str, value: &str) -> Self {
        let made = self.text_like(key, value_type::STRING, value.as_bytes());
        self.attributes.push(made);
        self
    }

    /// Adds bytes; they are copied.
    pub fn bytes(mut self, key: &str, value: &[u8]) -> Self {
        let made = self.text_like(key, value_type::BYTES, value);
        self.attributes.push(made);
        self
    }

    /// Adds a list; it is copied.
    pub fn list(self, key: &str, values: &[Value]) -> Self {
        self.set(key, &Value::List(values.to_vec()))
    }

    /// Adds what is said to be nothing.
    pub fn null(self, key: &str) -> Self {
        self.set(key, &Value::Null)
    }

    /// Adds a value; it is copied.
    pub fn set(mut self, key: &str, value: &Value) -> Self {
        let made = self.made(key, value);
        self.attributes.push(made);
        self
    }

    /// Says of the attribute that was added last that it may tell who the viewer is.
    pub fn personal(mut self) -> Self {
        if let Some(last) = self.attributes.last_mut() {
            last.flags |= attribute_flag::PERSONAL as u8;
        }
        self
    }

    fn attribute(&mut self, key: &str, kind: u32, len: usize, v: abi::tally_attr_v) -> abi::tally_attr {
        let key_off = self.texts.len() as u32;
        self.texts.extend_from_slice(key.as_bytes());
        // A name that is too long stays so, and is refused.
        let key_len = key.len().min(u16::MAX as usize) as u16;
        abi::tally_attr { key_off, key_len, key_id: 0, r#type: kind as u8, flags: 0, reserved0: 0, len: len as u32, v }
    }

    fn text_like(&mut self, key: &str, kind: u32, value: &[u8]) -> abi::tally_attr {
        let off = self.texts.len() as u64;
        self.texts.extend_from_slice(value);
        self.attribute(key, kind, value.len(), abi::tally_attr_v { off })
    }

    fn made(&mut self, key: &str, value: &Value) -> abi::tally_attr {
        let is_integer = |double: f64| double.trunc() == double && double.abs() < WHOLE_BELOW as f64;
        match value {
            Value::Null => self.attribute(key, value_type::NULL, 0, abi::tally_attr_v { i: 0 }),
            Value::Bool(truth) => self.attribute(key, value_type::BOOL, 0, abi::tally_attr_v { i: i64::from(*truth) }),
            Value::Int(whole) if *whole <= -WHOLE_BELOW || *whole >= WHOLE_BELOW => {
                self.attribute(key, value_type::DOUBLE, 0, abi::tally_attr_v { d: *whole as f64 })
            }
            Value::Int(whole) => self.attribute(key, value_type::INT, 0, abi::tally_attr_v { i: *whole }),
            Value::Double(double) if is_integer(*double) => {
                self.attribute(key, value_type::INT, 0, abi::tally_attr_v { i: *double as i64 })
            }
            Value::Double(double) => self.attribute(key, value_type::DOUBLE, 0, abi::tally_attr_v { d: *double }),
            Value::Str(text) => self.text_like(key, value_type::STRING, text.as_bytes()),
            Value::Bytes(bytes) => self.text_like(key, value_type::BYTES, bytes),
            Value::List(values) => {
                let first = self.items.len();
                let place = self.attribute("", value_type::NULL, 0, abi::tally_attr_v { i: 0 });
                self.items.resize(first + values.len(), place);
                for (index, value) in values.iter().enumerate() {
                    let item = self.made("", value);
                    self.items[first + index] = item;
                }
                self.attribute(key, value_type::LIST, values.len(), abi::tally_attr_v { off: first as u64 })
            }
        }
    }

    /// The block as the host takes it: header, attributes, values of lists, texts.
    fn block(mut self) -> Result<Vec<u64>, Error> {
        let header = std::mem::size_of::<abi::tally_record>();
        let each = std::mem::size_of::<abi::tally_attr>();
        let lists = header + self.attributes.len() * each;
        let texts = lists + self.items.len() * each;
        let words = (texts + self.texts.len() + 7) >> 3;
        if words >= (u32::MAX >> 3) as usize {
            return Err(Error::with(status::ERR_TOO_LARGE, "a record is too large"));
        }
        for attribute in self.attributes.iter_mut().chain(self.items.iter_mut()) {
            attribute.key_off += texts as u32;
            // SAFETY: the type says which member of the union holds.
            match attribute.r#type as u32 {
                value_type::STRING | value_type::BYTES => attribute.v.off = unsafe { attribute.v.off } + texts as u64,
                value_type::LIST => attribute.v.off = lists as u64 + unsafe { attribute.v.off } * each as u64,
                _ => {}
            }
        }
        let mut block = vec![0u64; words];
        let record = abi::tally_record {
            size: (words * 8) as u32, header_size: header as u32, flags: 0, kind_off: texts as u32,
            kind_len: self.kind_length as u32, attr_off: header as u32, attr_count: self.attributes.len() as u32,
            reserved0: 0,
        };
        let base = block.as_mut_ptr() as *mut u8;
        // SAFETY: the block has room for header, attributes, values and texts, one behind the other.
        unsafe {
            std::ptr::write(base as *mut abi::tally_record, record);
            let attributes = base.add(header) as *mut abi::tally_attr;
            std::ptr::copy_nonoverlapping(self.attributes.as_ptr(), attributes, self.attributes.len());
            let items = base.add(lists) as *mut abi::tally_attr;
            std::ptr::copy_nonoverlapping(self.items.as_ptr(), items, self.items.len());
            std::ptr::copy_nonoverlapping(self.texts.as_ptr(), base.add(texts), self.texts.len());
        }
        Ok(block)
    }
}

/// A beacon that is being built: the request that carries records to a vendor, at most 1 MiB.
///
/// Secrets never go into it: name the one that the reporter adds.
pub struct Beacon {
    destination: String,
    method: String,
    url: String,
    body: Vec<u8>,
    headers: Vec<(String, String)>,
    credential: String,
    patches: Vec<abi::tally_patch>,
    records: Vec<u64>,
    flags: u32,
    max_age_s: i64,
}

#[allow(dead_code)]
impl Beacon {
    /// Begins one to a destination, a lasting key for order, back-off and credentials.
    pub fn new(destination: &str, method: &str, url: &str) -> Self {
        Beacon {
            destination: destination.into(), method: method.into(), url: url.into(), body: Vec::new(),
            headers: Vec::new(), credential: String::new(), patches: Vec::new(), records: Vec::new(), flags: 0,
            max_age_s: 0,
        }
    }

    /// Adds a header; headers keep their order, and a name may be there twice.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Appends text to the address.
    pub fn url(mut self, text: &str) -> Self {
        self.url.push_str(text);
        self
    }

    /// Appends bytes to the body.
    pub fn body(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.body.extend_from_slice(bytes.as_ref());
        self
    }

    /// Appends zeros to the address that the reporter writes over each time it sends; `kind` is one of `patch`.
    pub fn url_patch(mut self, kind: u32, digits: usize) -> Self {
        let off = self.url.len() as u64;
        self.patches.push(abi::tally_patch { part: part::URL, kind, off, width: digits as u64 });
        self.url.push_str(&"0".repeat(digits));
        self
    }

    /// Appends zeros to the body that the reporter writes over each time it sends; `kind` is one of `patch`.
    pub fn body_patch(mut self, kind: u32, digits: usize) -> Self {
        let off = self.body.len() as u64;
        self.patches.push(abi::tally_patch { part: part::BODY, kind, off, width: digits as u64 });
        self.body.resize(self.body.len() + digits, b'0');
        self
    }

    /// Names the secret that the reporter adds.
    pub fn credential(mut self, name: &str) -> Self {
        self.credential = name.into();
        self
    }

    /// Says that it carries a record, by the ordinal that `Host::emit_numbered` answered.
    pub fn carries(mut self, ordinal: u64) -> Self {
        self.records.push(ordinal);
        self
    }

    /// Says how it wants to be treated: bits of `beacon`.
    pub fn flags(mut self, flags: u32) -> Self {
        self.flags = flags;
        self
    }

    /// Says how old it may become, s; 0: as the reporter has it.
    pub fn max_age_s(mut self, seconds: i64) -> Self {
        self.max_age_s = seconds;
        self
    }

    /// Lends it as the host takes it.
    fn with_raw<T>(&self, call: impl FnOnce(&abi::tally_beacon) -> T) -> T {
        let headers: Vec<abi::tally_header> = self.headers.iter()
            .map(|(name, value)| abi::tally_header { name: lend(name), value: lend(value) })
            .collect();
        call(&abi::tally_beacon {
            struct_size: std::mem::size_of::<abi::tally_beacon>() as u32, flags: self.flags,
            destination: lend(&self.destination), method: lend(&self.method), url: lend(&self.url),
            body: lend_bytes(&self.body), headers: headers.as_ptr(), header_count: headers.len() as u64,
            credential: lend(&self.credential), patches: self.patches.as_ptr(),
            patch_count: self.patches.len() as u64, records: self.records.as_ptr(),
            record_count: self.records.len() as u64, max_age_s: self.max_age_s,
        })
    }
}

// ---- what the host offers ----

/// What became of the outputs that a flush was about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flushed {
    /// How many are where they are to go.
    pub delivered: u64,
    /// How many are kept safely, and will be delivered.
    pub kept: u64,
    /// How many are lost.
    pub dropped: u64,
}

/// What the host offers to an instance. A call that says "tracker" or "reporter" works for that kind alone.
///
/// A plugin has it inside a call of the host, and uses it there; for other threads there is `remote`.
pub struct Host {
    raw: *const abi::tally_host,
    calls: abi::tally_host,
    emit: abi::tally_emit,
    timer: abi::tally_timer,
    random: abi::tally_random,
    store: abi::tally_store,
    answers: abi::tally_host_reporter,
    status: abi::tally_host_status,
    remote: Remote,
}

fn checked(status: i32, why: &str) -> Outcome {
    if status < 0 { Err(Error::with(status, why)) } else { Ok(()) }
}

fn missing(what: &str) -> Error {
    Error::with(status::ERR_UNSUPPORTED, what)
}

#[allow(dead_code)]
impl Host {
    // SAFETY in all of these: the host lives until destroy, and who has a &Host is inside a call.

    /// Writes a line to the host's log; `level` is one of `log_level`. It is no part of the output.
    pub fn log(&self, level: i32, line: &str) {
        if let Some(log) = self.calls.log {
            unsafe { log(self.raw, level, lend(line)) }
        }
    }

    /// Hands over a record of a tracker.
    pub fn emit(&self, record: Record) -> Outcome {
        self.emit_numbered(record).map(|_| ())
    }

    /// Hands over a record of a tracker, and answers its ordinal: from 1, per run and instance.
    pub fn emit_numbered(&self, record: Record) -> Result<u64, Error> {
        let emit = self.emit.record.ok_or_else(|| missing("the host takes no records"))?;
        let block = record.block()?;
        let mut ordinal = 0;
        let status = unsafe { emit(self.raw, block.as_ptr() as *const abi::tally_record, &mut ordinal) };
        checked(status, "the host refused a record").map(|_| ordinal)
    }

    /// Hands over a beacon of a tracker; it is copied.
    pub fn send(&self, beacon: &Beacon) -> Outcome {
        let send = self.emit.beacon.ok_or_else(|| missing("the host takes no beacons"))?;
        let status = beacon.with_raw(|raw| unsafe { send(self.raw, raw) });
        checked(status, "the host refused a beacon")
    }

    /// Tells the player's delegate of an error of this tracker; it also becomes a record "tracker_error".
    pub fn player_error(&self, code: &str, message: &str, details: &str) -> Outcome {
        let tell = self.emit.player_error.ok_or_else(|| missing("the host takes no errors"))?;
        let status = unsafe { tell(self.raw, lend(code), lend(message), lend(details)) };
        checked(status, "the host refused an error")
    }

    /// Starts a timer of a tracker that fires once, at `deadline_us` since the run's start; answers its number.
    ///
    /// `scope` is one of `timer_scope`. For a period start the next one at the old deadline plus the period.
    pub fn start_timer(&self, deadline_us: i64, scope: u32) -> Result<u64, Error> {
        let start = self.timer.start.ok_or_else(|| missing("the host has no timers"))?;
        let mut id = 0;
        let status = unsafe { start(self.raw, deadline_us, scope, &mut id) };
        checked(status, "the host starts no timer").map(|_| id)
    }

    /// Cancels a timer of a tracker; one that has fired or was cancelled before is left alone.
    pub fn cancel_timer(&self, id: u64) {
        if let Some(cancel) = self.timer.cancel {
            unsafe { cancel(self.raw, id) }
        }
    }

    /// The next number of a tracker's only random source: a replay draws the same numbers.
    pub fn random(&self) -> u64 {
        self.random.next_u64.map_or(0, |next| unsafe { next(self.raw) })
    }

    /// Keeps a value of a tracker for the next run. `About::store_keys` has to list the key.
    pub fn store(&self, key: &str, value: &str) -> Outcome {
        let put = self.store.put.ok_or_else(|| missing("the host keeps no values"))?;
        checked(unsafe { put(self.raw, lend(key), lend(value)) }, "the host refused to keep a value")
    }

    /// What the host says of itself to a reporter: bits of `host_flag`.
    pub fn flags(&self) -> u32 {
        self.answers.flags
    }

    /// What the plugins of the host are and did, JSON text, for a reporter; an error where the host does not say.
    pub fn status(&self) -> Result<String, Error> {
        unsafe extern "C" fn write(sink: *const abi::tally_sink, bytes: *const c_void, length: usize) -> i32 {
            let into = &mut *((*sink).ctx as *mut Vec<u8>);
            into.extend_from_slice(slice(bytes as *const u8, length as u64));
            status::OK
        }
        let ask = self.status.write.ok_or_else(|| missing("the host does not say what its plugins do"))?;
        let mut text: Vec<u8> = Vec::new();
        let sink = abi::tally_sink { ctx: &mut text as *mut Vec<u8> as *mut c_void, write: Some(write) };
        checked(unsafe { ask(self.raw, &sink) }, "the host has nothing to say of its plugins")?;
        String::from_utf8(text).map_err(|_| Error::new("what the host says of its plugins is no text"))
    }

    /// What other threads of a reporter reach the host with.
    pub fn remote(&self) -> Remote {
        self.remote.clone()
    }

    /// An extension that this file does not know, by its name with "\0" at the end; zeros where it is not offered.
    ///
    /// # Safety
    /// `Table` has to be the structure of that extension, `repr(C)`, with its size in the first four bytes, and valid
    /// where all of it is zero. Its functions are called with `raw`.
    pub unsafe fn extension<Table>(&self, id: &'static str) -> Table {
        assert!(id.ends_with('\0'), "the name of an extension does not end with \\0");
        match self.calls.get_extension {
            Some(get) => copied(get(self.raw, id.as_ptr() as *const c_char) as *const Table),
            None => copied(std::ptr::null()),
        }
    }

    /// The host as its functions take it. Valid until the instance is dropped.
    pub fn raw(&self) -> *const abi::tally_host {
        self.raw
    }

    /// Says why the call that is about to return fails, and answers with what.
    fn fail(&self, error: &Error) -> i32 {
        let status = if error.status < 0 { error.status } else { status::ERR_INTERNAL };
        if let Some(set_error) = self.calls.set_error {
            unsafe { set_error(self.raw, status, lend(&error.why)) }
        }
        status
    }

    /// Fetches what it needs of the host, which may be asked from init on.
    unsafe fn attach(&mut self) {
        self.emit = self.extension(extension::EMIT);
        self.timer = self.extension(extension::TIMER);
        self.random = self.extension(extension::RANDOM);
        self.store = self.extension(extension::STORE);
        self.answers = self.extension(extension::HOST_REPORTER);
        self.status = self.extension(extension::STATUS);
        let mut reach = self.remote.change();
        reach.log = self.calls.log;
        reach.ready = self.answers.ready;
        reach.flushed = self.answers.flushed;
    }
}

/// What other threads of a reporter reach the host with. Any thread may call it, and copy it, at any time.
///
/// Behind the reporter's `disable` and its end the calls do nothing, so that a thread which is late does no harm.
#[derive(Clone)]
pub struct Remote(Arc<RwLock<Reach>>);

struct Reach {
    raw: *const abi::tally_host,
    log: Option<unsafe extern "C" fn(*const abi::tally_host, i32, abi::tally_str)>,
    ready: Option<unsafe extern "C" fn(*const abi::tally_host)>,
    flushed: Option<unsafe extern "C" fn(*const abi::tally_host, u64, u64, u64, u64)>,
    is_enabled: bool,
    is_alive: bool,
}

// SAFETY: the host takes these calls from any thread, and the lock keeps them within the windows in which it does.
unsafe impl Send for Reach {}
unsafe impl Sync for Reach {}

#[allow(dead_code)]
impl Remote {
    /// Says that there is room again behind a `take` that answered `false`; while `disable` runs, that it still works.
    pub fn ready(&self) {
        let reach = self.reach();
        if let (true, Some(ready)) = (reach.is_enabled, reach.ready) {
            unsafe { ready(reach.raw) }
        }
    }

    /// Answers a flush whose `answer_flush` gave `None`, once, by its token.
    pub fn flushed(&self, token: u64, what: Flushed) {
        let reach = self.reach();
        if let (true, Some(flushed)) = (reach.is_enabled, reach.flushed) {
            unsafe { flushed(reach.raw, token, what.delivered, what.kept, what.dropped) }
        }
    }

    /// Writes a line to the host's log; `level` is one of `log_level`.
    pub fn log(&self, level: i32, line: &str) {
        let reach = self.reach();
        if let (true, Some(log)) = (reach.is_alive, reach.log) {
            unsafe { log(reach.raw, level, lend(line)) }
        }
    }

    fn new(raw: *const abi::tally_host) -> Self {
        let reach = Reach { raw, log: None, ready: None, flushed: None, is_enabled: false, is_alive: true };
        Remote(Arc::new(RwLock::new(reach)))
    }

    // Nothing panics while the lock is held, so a poisoned one is as good as any.
    fn reach(&self) -> RwLockReadGuard<'_, Reach> {
        self.0.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn change(&self) -> RwLockWriteGuard<'_, Reach> {
        self.0.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

// ---- what a plugin is ----

/// What a host shows of a plugin before it makes an instance.
///
/// Each text ends with "\0", also in the lists; a plugin whose text does not end so does not compile.
pub struct About {
    /// In reverse-DNS form, never changed.
    pub id: &'static str,
    /// For people.
    pub name: &'static str,
    /// Who makes it, for people.
    pub vendor: &'static str,
    /// MAJOR.MINOR.MICRO.
    pub version: &'static str,
    /// PATCH-COMMIT, which stands behind the version in full, such as "0-3a4f2c1\0"; empty: none.
    pub build: &'static str,
    /// JSON Schema text of the configuration.
    pub config_schema: &'static str,
    /// Bits of `cap`; a tracker is deterministic in any case.
    pub caps: u32,
    /// Host extensions that it cannot do without, beside "tally.emit/1" of a tracker; at most 30, as in all lists.
    pub requires: &'static [&'static str],
    /// Paths of shared files whose content it also gets, as members of its configuration.
    pub shared_config: &'static [&'static str],
    /// Keys of the persistent values that it reads and writes.
    pub store_keys: &'static [&'static str],
    /// Of `event_type`: what `on_event` is called with; empty: every event. At most 126.
    pub wanted_events: &'static [u32],
    /// Members of its configuration that hold paths which it only reads.
    pub read_paths: &'static [&'static str],
    /// Members of its configuration that hold paths which it writes.
    pub written_paths: &'static [&'static str],
}

#[allow(dead_code)]
impl About {
    /// A plugin without a configuration.
    pub const fn new(id: &'static str, name: &'static str, vendor: &'static str, version: &'static str) -> Self {
        let config_schema = "{\"type\":\"object\",\"additionalProperties\":false}\0";
        About {
            id, name, vendor, version, build: "", config_schema, caps: 0, requires: &[], shared_config: &[],
            store_keys: &[], wanted_events: &[], read_paths: &[], written_paths: &[],
        }
    }

    /// With JSON Schema text of the configuration.
    pub const fn schema(mut self, schema: &'static str) -> Self {
        self.config_schema = schema;
        self
    }

    /// With capabilities, bits of `cap`.
    pub const fn caps(mut self, caps: u32) -> Self {
        self.caps = caps;
        self
    }

    /// With a build, PATCH-COMMIT.
    pub const fn build(mut self, build: &'static str) -> Self {
        self.build = build;
        self
    }

    /// With host extensions that it cannot do without, such as `extension::STORE`.
    pub const fn requires(mut self, extensions: &'static [&'static str]) -> Self {
        self.requires = extensions;
        self
    }

    /// With shared files whose content it also gets.
    pub const fn shared_config(mut self, paths: &'static [&'static str]) -> Self {
        self.shared_config = paths;
        self
    }

    /// With keys of persistent values.
    pub const fn store_keys(mut self, keys: &'static [&'static str]) -> Self {
        self.store_keys = keys;
        self
    }

    /// With the types of the events that `on_event` is called with.
    pub const fn wanted_events(mut self, types: &'static [u32]) -> Self {
        self.wanted_events = types;
        self
    }

    /// With members of the configuration that are paths which it only reads.
    pub const fn read_paths(mut self, members: &'static [&'static str]) -> Self {
        self.read_paths = members;
        self
    }

    /// With members of the configuration that are paths which it writes.
    pub const fn written_paths(mut self, members: &'static [&'static str]) -> Self {
        self.written_paths = members;
        self
    }
}

/// What a tracker knows of the player run that it belongs to. It is lent until the call returns.
pub struct Run<'a> {
    raw: abi::tally_run_info,
    lent: std::marker::PhantomData<&'a abi::tally_run_info>,
}

#[allow(dead_code)]
impl<'a> Run<'a> {
    // SAFETY in all of these: the host lends what the information points at until the call returns.

    /// The id of the player run.
    pub fn id(&self) -> &'a str {
        unsafe { view(self.raw.player_run_id) }
    }

    /// The configured name of this instance.
    pub fn instance(&self) -> &'a str {
        unsafe { view(self.raw.instance) }
    }

    /// The wall clock at time 0, us since 1970: adding a time of the run gives the wall clock of then.
    pub fn epoch_us(&self) -> i64 {
        self.raw.epoch_us
    }

    /// The version of the rules of time, timers and state.
    pub fn semantics(&self) -> u32 {
        self.raw.semantics
    }

    /// A persistent value as it was when the run began.
    pub fn stored(&self, key: &str) -> Option<&'a str> {
        let record: &'a abi::tally_record = unsafe { self.raw.stored.as_ref() }?;
        Said { raw: record }.find(key)?.str()
    }
}

/// A function of its own state and the next event or timer: it reads no clock, no file and no random source.
///
/// There is an instance for each player run. Its calls come one by one, not always on the same thread: hence `Send`. An
/// error of `session_begin` and `on_event` is counted, and 20 in a row disable the instance; of a call whose name in
/// the headers returns nothing (`on_timer`, `session_end`, `disable`) it becomes a line of the log.
#[allow(unused_variables)]
pub trait Tracker: Send + Sized {
    /// What hosts show of it.
    const ABOUT: About;
    /// Whether it offers "tally.configure/1": then `reconfigure` has to be there.
    const RECONFIGURES: bool = false;
    /// The commands that there are, constant JSON text: an array of objects with `name`, `summary` and `changes`.
    ///
    /// Empty: it offers no "tally.command/1"; otherwise `command` has to be there.
    const COMMANDS: &'static str = "";
    /// Makes an instance. The host is not there yet.
    fn new() -> Self;
    /// Tells of the run and the instance, once, right behind `new`; what is lent has to be copied.
    fn run_begins(&mut self, run: &Run) {}
    /// Takes the configuration, once, before anything else: JSON text that fits the schema.
    fn configure(&mut self, host: &Host, config: &str) -> Outcome { Ok(()) }
    /// Is put to work; it may emit from here on.
    fn enable(&mut self, host: &Host) -> Outcome { Ok(()) }
    /// Is put aside; it may not emit, and its timers are gone.
    fn disable(&mut self, host: &Host) -> Outcome { Ok(()) }
    /// Takes a new configuration in mid-run, whole; `now_us` and `now` are as in `on_timer`.
    ///
    /// An error refuses it: read all of it before you change anything.
    fn reconfigure(&mut self, host: &Host, config: &str, now_us: i64, now: &abi::tally_state) -> Outcome {
        Err(missing("the configuration is taken at the start alone"))
    }
    /// Runs one of `COMMANDS` with JSON arguments, and answers with JSON text; `Error::not_found` for any other name.
    ///
    /// One with `"changes":false` must change nothing and emit nothing: a replay does not know of it.
    fn command(
        &mut self, host: &Host, name: &str, arguments: &str, now_us: i64, now: &abi::tally_state,
    ) -> Result<String, Error> {
        Err(Error::not_found("there are no commands"))
    }
    /// A session begins, or goes on when the tracker joins it: the snapshot then says what is known so far.
    fn session_begin(&mut self, host: &Host, snapshot: &Event) -> Outcome { Ok(()) }
    /// The player did something; an event of an unknown type is to be ignored.
    fn on_event(&mut self, host: &Host, event: &Event) -> Outcome;
    /// A timer fires; `deadline_us` is now, us since the run's start, and `now` the player at that instant.
    fn on_timer(&mut self, host: &Host, timer: u64, deadline_us: i64, now: &abi::tally_state) -> Outcome { Ok(()) }
    /// A session ends, for a reason of `end`: the last chance to say something of it.
    fn session_end(&mut self, host: &Host, reason: u32, now_us: i64, now: &abi::tally_state) -> Outcome { Ok(()) }
}

/// One output, as a reporter is handed it. It is lent until the call returns.
pub struct Output<'a> {
    raw: &'a abi::tally_output,
}

#[allow(dead_code)]
impl<'a> Output<'a> {
    /// The structure of the headers.
    pub fn raw(&self) -> &'a abi::tally_output {
        self.raw
    }

    /// One of `output`. Take one that you do not know, and leave it alone.
    pub fn what(&self) -> u32 {
        self.raw.what
    }

    // SAFETY in all of these: the host hands over an origin always, and the item that `what` says.

    /// Where it comes from; a copy of the structure of the headers.
    pub fn origin(&self) -> abi::tally_origin {
        unsafe { copied(self.raw.origin) }
    }

    /// The id of the player run.
    pub fn run(&self) -> &'a str {
        unsafe { view(self.origin().player_run_id) }
    }

    /// The configured name of the tracker; empty for what the core itself says.
    pub fn instance(&self) -> &'a str {
        unsafe { view(self.origin().instance) }
    }

    /// The id of the tracker's plugin; empty for what the core itself says.
    pub fn plugin_id(&self) -> &'a str {
        unsafe { view(self.origin().plugin_id) }
    }

    /// The version of the tracker's plugin.
    pub fn plugin_version(&self) -> &'a str {
        unsafe { view(self.origin().plugin_version) }
    }

    /// The id of the session's video, as far as the player has said it.
    pub fn video_id(&self) -> &'a str {
        unsafe { view(self.origin().video_id) }
    }

    /// The record, where it is one.
    pub fn record(&self) -> Option<Said<'a>> {
        if self.what() != output::RECORD { return None }
        unsafe { (self.raw.item as *const abi::tally_record).as_ref() }.map(|raw| Said { raw })
    }

    /// The event, where it is one: also the one that begins a session.
    pub fn event(&self) -> Option<Event<'a>> {
        if self.what() != output::EVENT && self.what() != output::SESSION_BEGIN { return None }
        unsafe { (self.raw.item as *const abi::tally_event).as_ref() }.map(|raw| Event { raw })
    }

    /// The beacon, where it is one.
    pub fn beacon(&self) -> Option<Sent<'a>> {
        if self.what() != output::BEACON || self.raw.item.is_null() { return None }
        let raw = unsafe { copied(self.raw.item as *const abi::tally_beacon) };
        Some(Sent { raw, lent: std::marker::PhantomData })
    }

    /// How many outputs before this one a full queue cost, where it says so.
    pub fn gap(&self) -> Option<u64> {
        if self.what() != output::GAP { return None }
        unsafe { (self.raw.item as *const u64).as_ref() }.copied()
    }

    /// A line of the run's archive with its break, where it is one.
    pub fn line(&self) -> Option<&'a str> {
        if self.what() != output::LINE { return None }
        unsafe { (self.raw.item as *const abi::tally_str).as_ref().map(|line| view(*line)) }
    }
}

/// What a flush is about.
#[allow(dead_code)]
pub struct FlushRequest<'a> {
    /// What it is answered with.
    pub token: u64,
    /// The id of the player run.
    pub run: &'a str,
    /// The session; 0: the whole run.
    pub session: u32,
    /// How long it may take, ms.
    pub budget_ms: i64,
    /// How many outputs were taken since the flush before.
    pub taken: u64,
}

/// The only place for files and connections. All calls come on one thread, and may wait.
///
/// An error of `take` says that the output is lost, one of `flush` that all is lost that was taken since the flush
/// before; one of `disable` becomes a line of the log.
#[allow(unused_variables)]
pub trait Reporter: Send + Sized {
    /// What hosts show of it.
    const ABOUT: About;
    /// Bits `1 << output::...` of what it is handed; 0: everything but recovered outputs and archive lines.
    const WANTS: u32 = 0;
    /// Whether it offers "tally.configure/1": then `reconfigure` has to be there.
    const RECONFIGURES: bool = false;
    /// The commands that there are, constant JSON text, as in `Tracker::COMMANDS`.
    const COMMANDS: &'static str = "";
    /// Makes an instance. The host is not there yet.
    fn new() -> Self;
    /// The same as `WANTS`, where it depends on the configuration; asked behind `configure` and `reconfigure`.
    fn wants(&self) -> u32 { Self::WANTS }
    /// Takes the configuration, once, before anything else: JSON text that fits the schema.
    fn configure(&mut self, host: &Host, config: &str) -> Outcome { Ok(()) }
    /// Is put to work: the place to open files and to start threads.
    fn enable(&mut self, host: &Host) -> Outcome { Ok(()) }
    /// Is put aside: the place to bring away what is left, and to join threads.
    fn disable(&mut self, host: &Host) -> Outcome { self.flush(host) }
    /// Takes a new configuration in mid-run, whole; an error refuses it.
    fn reconfigure(&mut self, host: &Host, config: &str) -> Outcome {
        Err(missing("the configuration is taken at the start alone"))
    }
    /// Runs one of `COMMANDS`, as `Tracker::command` does.
    fn command(&mut self, host: &Host, name: &str, arguments: &str) -> Result<String, Error> {
        Err(Error::not_found("there are no commands"))
    }
    /// Takes an output. False: full for now; the host offers it again within 100 ms, or behind `Remote::ready`.
    fn take(&mut self, host: &Host, output: &Output) -> Result<bool, Error>;
    /// Brings away what it has taken.
    fn flush(&mut self, host: &Host) -> Outcome { Ok(()) }
    /// Answers a flush in detail; `None`: later, by `Remote::flushed`. Without it `flush` counts all as delivered.
    fn answer_flush(&mut self, host: &Host, request: &FlushRequest) -> Result<Option<Flushed>, Error> {
        self.flush(host)?;
        Ok(Some(Flushed { delivered: request.taken, ..Flushed::default() }))
    }
}

// ---- the functions behind the tables ----

/// An instance, as the host's pointer leads to it.
struct Instance<P> {
    plugin: abi::tally_plugin,
    /// Its own, as what it wants is its own.
    reporter: abi::tally_reporter,
    host: Host,
    part: P,
    taken: u64,
}

thread_local! {
    /// Where the panic was that this thread is about to catch; nothing while it would catch none.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics that are caught away from standard error: the host is told of them, with their place.
///
/// A plugin has a standard library of its own, so this is no hook of the host or of another plugin.
fn quieten_panics() {
    static ONCE: Once = Once::new();
    // Without unwinding nobody else would tell of them.
    if cfg!(panic = "abort") { return }
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            let caught = PANIC.try_with(|place| {
                let mut place = place.try_borrow_mut().ok()?;
                let location = info.location()?;
                *place.as_mut()? = format!(" at {}:{}", location.file(), location.line());
                Some(())
            });
            if !matches!(caught, Ok(Some(()))) { before(info) }
        }));
    });
}

/// Makes a call out of which no panic comes: it becomes an error with its text and its place.
fn caught<T>(call: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let outside = PANIC.with(|place| place.replace(Some(String::new())));
    let outcome = catch_unwind(AssertUnwindSafe(call));
    let place = PANIC.with(|place| place.replace(outside)).unwrap_or_default();
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(|text| text.as_str()));
        let error = Error::new(format!("the plugin panicked{place}: {}", text.unwrap_or("it does not say why")));
        // What a panic carries can panic when it is dropped.
        std::mem::forget(panic);
        Err(error)
    })
}

/// Makes a call on an instance; neither an error nor a panic leaves it.
unsafe fn tried<P, T>(
    plugin: *const abi::tally_plugin, call: impl FnOnce(&mut P, &Host) -> Result<T, Error>,
) -> Result<T, Error> {
    let instance = (*plugin).plugin_data as *mut Instance<P>;
    let (part, host) = (&mut (*instance).part, &(*instance).host);
    caught(|| call(part, host))
}

/// Makes a call that returns a status; the host is told why it fails.
unsafe fn guard<P, T>(
    plugin: *const abi::tally_plugin, call: impl FnOnce(&mut P, &Host) -> Result<T, Error>,
) -> Result<T, i32> {
    let instance = (*plugin).plugin_data as *const Instance<P>;
    tried(plugin, call).map_err(|error| (*instance).host.fail(&error))
}

/// Makes a call that returns nothing; what fails in it is logged.
unsafe fn logged<P>(plugin: *const abi::tally_plugin, name: &str, call: impl FnOnce(&mut P, &Host) -> Outcome) {
    let instance = (*plugin).plugin_data as *const Instance<P>;
    if let Err(error) = tried(plugin, call) {
        (*instance).host.log(log_level::ERROR, &format!("{}: {}", name, error.why));
    }
}

fn status_of(outcome: Result<(), i32>) -> i32 {
    outcome.err().unwrap_or(status::OK)
}

/// The functions behind the tables. What the macros use is public, and no interface.
#[doc(hidden)]
#[allow(dead_code, missing_docs, clippy::missing_safety_doc)]
pub mod glue {
    use super::abi::*;
    use super::*;

    const fn size<T>() -> u32 {
        std::mem::size_of::<T>() as u32
    }

    /// What trackers and reporters have in common.
    pub trait Part: Sized {
        const ABOUT: About;
        const RECONFIGURES: bool;
        const COMMANDS: &'static str;
        fn made(run: *const tally_run_info) -> Self;
        fn wants(&self) -> u32;
        fn configured(&mut self, host: &Host, config: &str) -> Outcome;
        fn enabled(&mut self, host: &Host) -> Outcome;
        fn disabled(&mut self, host: &Host) -> Outcome;
        fn reconfigured(&mut self, host: &Host, config: &str, now_us: i64, now: &tally_state) -> Outcome;
        fn commanded(
            &mut self, host: &Host, name: &str, arguments: &str, now_us: i64, now: &tally_state,
        ) -> Result<String, Error>;
        /// The table of trackers, or of reporters.
        unsafe fn own_table(plugin: *const tally_plugin, id: &[u8]) -> *const c_void;
        fn reporter() -> tally_reporter;
    }

    pub struct Tracking<T>(T);
    impl<T: Tracker> Part for Tracking<T> {
        const ABOUT: About = T::ABOUT;
        const RECONFIGURES: bool = T::RECONFIGURES;
        const COMMANDS: &'static str = T::COMMANDS;
        fn made(run: *const tally_run_info) -> Self {
            let mut tracker = T::new();
            if !run.is_null() {
                tracker.run_begins(&Run { raw: unsafe { copied(run) }, lent: std::marker::PhantomData });
            }
            Tracking(tracker)
        }
        fn wants(&self) -> u32 { 0 }
        fn configured(&mut self, host: &Host, config: &str) -> Outcome { self.0.configure(host, config) }
        fn enabled(&mut self, host: &Host) -> Outcome { self.0.enable(host) }
        fn disabled(&mut self, host: &Host) -> Outcome { self.0.disable(host) }
        fn reconfigured(&mut self, host: &Host, config: &str, now_us: i64, now: &tally_state) -> Outcome {
            self.0.reconfigure(host, config, now_us, now)
        }
        fn commanded(
            &mut self, host: &Host, name: &str, arguments: &str, now_us: i64, now: &tally_state,
        ) -> Result<String, Error> {
            self.0.command(host, name, arguments, now_us, now)
        }
        unsafe fn own_table(_: *const tally_plugin, id: &[u8]) -> *const c_void {
            if id != extension::TRACKER.as_bytes() { return std::ptr::null() }
            let table: &'static tally_tracker = &tally_tracker {
                struct_size: std::mem::size_of::<tally_tracker>() as u32, reserved0: 0,
                session_begin: Some(session_begin::<T>), on_event: Some(on_event::<T>), on_timer: Some(on_timer::<T>),
                session_end: Some(session_end::<T>),
            };
            table as *const tally_tracker as *const c_void
        }
        fn reporter() -> tally_reporter {
            tally_reporter { struct_size: size::<tally_reporter>(), wants: 0, take: None, flush: None }
        }
    }

    pub struct Reporting<R>(R);
    impl<R: Reporter> Part for Reporting<R> {
        const ABOUT: About = R::ABOUT;
        const RECONFIGURES: bool = R::RECONFIGURES;
        const COMMANDS: &'static str = R::COMMANDS;
        fn made(_: *const tally_run_info) -> Self { Reporting(R::new()) }
        fn wants(&self) -> u32 { self.0.wants() }
        fn configured(&mut self, host: &Host, config: &str) -> Outcome { self.0.configure(host, config) }
        fn enabled(&mut self, host: &Host) -> Outcome { self.0.enable(host) }
        fn disabled(&mut self, host: &Host) -> Outcome { self.0.disable(host) }
        fn reconfigured(&mut self, host: &Host, config: &str, _: i64, _: &tally_state) -> Outcome {
            self.0.reconfigure(host, config)
        }
        fn commanded(
            &mut self, host: &Host, name: &str, arguments: &str, _: i64, _: &tally_state,
        ) -> Result<String, Error> {
            self.0.command(host, name, arguments)
        }
        unsafe fn own_table(plugin: *const tally_plugin, id: &[u8]) -> *const c_void {
            if id != extension::REPORTER.as_bytes() { return std::ptr::null() }
            let instance = (*plugin).plugin_data as *const Instance<Self>;
            std::ptr::addr_of!((*instance).reporter) as *const c_void
        }
        fn reporter() -> tally_reporter {
            tally_reporter {
                struct_size: size::<tally_reporter>(), wants: R::WANTS, take: Some(take::<R>), flush: Some(flush::<R>),
            }
        }
    }

    // SAFETY in all of these: the host calls them with what `create` made, and lends the rest until they return.

    unsafe fn host_of<'a, P>(plugin: *const tally_plugin) -> &'a mut Host {
        &mut (*((*plugin).plugin_data as *mut Instance<P>)).host
    }

    /// Writes down what a reporter wants, where the host reads it.
    unsafe fn publish<P: Part>(plugin: *const tally_plugin) -> Outcome {
        let wants = tried::<P, u32>(plugin, |part, _| Ok(part.wants()))?;
        (*((*plugin).plugin_data as *mut Instance<P>)).reporter.wants = wants;
        Ok(())
    }

    unsafe extern "C" fn init<P: Part>(plugin: *const tally_plugin, config: tally_str) -> tally_status {
        host_of::<P>(plugin).attach();
        let outcome = guard::<P, _>(plugin, |part, host| part.configured(host, view(config)));
        status_of(outcome.and_then(|_| publish::<P>(plugin).map_err(|error| host_of::<P>(plugin).fail(&error))))
    }

    unsafe extern "C" fn enable<P: Part>(plugin: *const tally_plugin) -> tally_status {
        let remote = host_of::<P>(plugin).remote();
        remote.change().is_enabled = true;
        let status = status_of(guard::<P, _>(plugin, |part, host| part.enabled(host)));
        if status < 0 { remote.change().is_enabled = false }
        status
    }

    unsafe extern "C" fn disable<P: Part>(plugin: *const tally_plugin) {
        logged::<P>(plugin, "disable", |part, host| part.disabled(host));
        // Waits for calls of other threads that are under way.
        host_of::<P>(plugin).remote().change().is_enabled = false;
    }

    unsafe extern "C" fn destroy<P: Part>(plugin: *const tally_plugin) {
        {
            let remote = host_of::<P>(plugin).remote();
            let mut reach = remote.change();
            reach.is_enabled = false;
            reach.is_alive = false;
        }
        let instance = (*plugin).plugin_data as *mut Instance<P>;
        let calls = copied(std::ptr::addr_of!((*instance).host.calls));
        let raw = (*instance).host.raw;
        if let (Err(error), Some(log)) = (caught(|| { drop(Box::from_raw(instance)); Ok(()) }), calls.log) {
            log(raw, log_level::ERROR, lend(&format!("destroy: {}", error.why)));
        }
    }

    unsafe extern "C" fn configure<P: Part>(
        plugin: *const tally_plugin, config: tally_str, now_us: i64, now: *const tally_state,
    ) -> tally_status {
        let outcome = guard::<P, _>(plugin, |part, host| {
            part.reconfigured(host, view(config), now_us, &copied(now))
        });
        status_of(outcome.and_then(|_| publish::<P>(plugin).map_err(|error| host_of::<P>(plugin).fail(&error))))
    }

    unsafe extern "C" fn run_command<P: Part>(
        plugin: *const tally_plugin, name: tally_str, arguments: tally_str, now_us: i64, now: *const tally_state,
        answer: *const tally_sink,
    ) -> tally_status {
        let answered = guard::<P, _>(plugin, |part, host| {
            part.commanded(host, view(name), view(arguments), now_us, &copied(now))
        });
        match (answered, (*answer).write) {
            (Ok(text), Some(write)) => write(answer, text.as_ptr() as *const c_void, text.len()),
            (Ok(_), None) => status::OK,
            (Err(status), _) => status,
        }
    }

    unsafe extern "C" fn list_commands<P: Part>(_: *const tally_plugin) -> tally_str { lend(P::COMMANDS) }

    unsafe extern "C" fn get_extension<P: Part>(plugin: *const tally_plugin, id: *const c_char) -> *const c_void {
        let id = CStr::from_ptr(id).to_bytes_with_nul();
        if P::RECONFIGURES && id == extension::CONFIGURE.as_bytes() {
            let table: &'static tally_configure = &tally_configure {
                struct_size: std::mem::size_of::<tally_configure>() as u32, reserved0: 0,
                configure: Some(configure::<P>),
            };
            return table as *const tally_configure as *const c_void;
        }
        if !P::COMMANDS.is_empty() && id == extension::COMMAND.as_bytes() {
            let table: &'static tally_command = &tally_command {
                struct_size: std::mem::size_of::<tally_command>() as u32, reserved0: 0, run: Some(run_command::<P>),
                list: Some(list_commands::<P>),
            };
            return table as *const tally_command as *const c_void;
        }
        P::own_table(plugin, id)
    }

    unsafe extern "C" fn session_begin<T: Tracker>(p: *const tally_plugin, event: *const tally_event) -> tally_status {
        status_of(guard::<Tracking<T>, _>(p, |t, host| t.0.session_begin(host, &Event { raw: &*event })))
    }
    unsafe extern "C" fn on_event<T: Tracker>(p: *const tally_plugin, event: *const tally_event) -> tally_status {
        status_of(guard::<Tracking<T>, _>(p, |t, host| t.0.on_event(host, &Event { raw: &*event })))
    }
    unsafe extern "C" fn on_timer<T: Tracker>(p: *const tally_plugin, id: u64, at: i64, now: *const tally_state) {
        logged::<Tracking<T>>(p, "on_timer", |t, host| t.0.on_timer(host, id, at, &copied(now)));
    }
    unsafe extern "C" fn session_end<T: Tracker>(p: *const tally_plugin, why: u32, at: i64, now: *const tally_state) {
        logged::<Tracking<T>>(p, "session_end", |t, host| t.0.session_end(host, why, at, &copied(now)));
    }

    unsafe extern "C" fn take<R: Reporter>(
        p: *const tally_plugin, items: *const *const tally_output, count: u64,
    ) -> i64 {
        let mut taken = 0;
        let outcome = guard::<Reporting<R>, _>(p, |reporter, host| {
            while taken < count && reporter.0.take(host, &Output { raw: &**items.add(taken as usize) })? {
                taken += 1;
            }
            Ok(())
        });
        (*((*p).plugin_data as *mut Instance<Reporting<R>>)).taken += taken;
        // What was taken before an error is not lost with the rest.
        match outcome {
            Err(status) if taken == 0 => i64::from(status),
            _ => taken as i64,
        }
    }
    unsafe extern "C" fn flush<R: Reporter>(
        p: *const tally_plugin, token: u64, run: tally_str, session: u32, budget_ms: i64,
    ) {
        let instance = (*p).plugin_data as *mut Instance<Reporting<R>>;
        let taken = std::mem::take(&mut (*instance).taken);
        let request = FlushRequest { token, run: view(run), session, budget_ms, taken };
        let what = match guard::<Reporting<R>, _>(p, |reporter, host| reporter.0.answer_flush(host, &request)) {
            Ok(Some(what)) => what,
            Ok(None) => return,
            Err(_) => Flushed { dropped: taken, ..Flushed::default() },
        };
        if let Some(flushed) = (*instance).host.answers.flushed {
            flushed((*instance).host.raw, token, what.delivered, what.kept, what.dropped)
        }
    }

    unsafe fn create<P: Part>(host: *const tally_host, run: *const tally_run_info) -> *const tally_plugin {
        quieten_panics();
        let made = caught(|| {
            let plugin = tally_plugin {
                struct_size: size::<tally_plugin>(), reserved0: 0, plugin_data: std::ptr::null_mut(),
                init: Some(init::<P>), enable: Some(enable::<P>), disable: Some(disable::<P>),
                destroy: Some(destroy::<P>), get_extension: Some(get_extension::<P>),
            };
            use std::ptr::null;
            let host = Host {
                raw: host, calls: copied(host), emit: copied(null()), timer: copied(null()), random: copied(null()),
                store: copied(null()), answers: copied(null()), status: copied(null()), remote: Remote::new(host),
            };
            let part = P::made(run);
            Ok(Box::into_raw(Box::new(Instance { plugin, reporter: P::reporter(), host, part, taken: 0 })))
        });
        // Calls nothing of the host, so there is nobody to tell why it is none.
        made.map_or(std::ptr::null(), |instance| {
            (*instance).plugin.plugin_data = instance as *mut c_void;
            std::ptr::addr_of!((*instance).plugin)
        })
    }
    pub unsafe fn create_tracker<T: Tracker>(
        host: *const tally_host, run: *const tally_run_info,
    ) -> *const tally_plugin {
        create::<Tracking<T>>(host, run)
    }
    pub unsafe fn create_reporter<R: Reporter>(
        host: *const tally_host, run: *const tally_run_info,
    ) -> *const tally_plugin {
        create::<Reporting<R>>(host, run)
    }

    /// Constant after it was made, and shared by all threads.
    pub struct Shared<T: ?Sized>(pub T);
    unsafe impl<T: ?Sized> Sync for Shared<T> {}

    /// One of the plugins of a library.
    pub struct Offered {
        pub about: *const tally_descriptor,
        pub create: unsafe fn(*const tally_host, *const tally_run_info) -> *const tally_plugin,
    }

    pub unsafe fn descriptor_at(offered: &'static [Offered], index: u32) -> *const tally_descriptor {
        offered.get(index as usize).map_or(std::ptr::null(), |plugin| plugin.about)
    }

    pub unsafe fn create_named(
        offered: &'static [Offered], host: *const tally_host, id: *const c_char, run: *const tally_run_info,
    ) -> *const tally_plugin {
        let id = CStr::from_ptr(id);
        let found = offered.iter().find(|plugin| CStr::from_ptr((*plugin.about).id) == id);
        found.map_or(std::ptr::null(), |plugin| (plugin.create)(host, run))
    }

    /// The text as C reads it. The plugin does not compile where the "\0" at its end is missing.
    const fn ended(text: &'static str) -> *const c_char {
        let bytes = text.as_bytes();
        assert!(!bytes.is_empty() && bytes[bytes.len() - 1] == 0, "a text of About does not end with \\0");
        text.as_ptr() as *const c_char
    }

    /// A list of texts as C reads it, with NULL behind the last.
    pub type Texts = [*const c_char; 32];

    pub const fn texts(first: &'static str, others: &'static [&'static str]) -> Shared<Texts> {
        let mut list = [std::ptr::null(); 32];
        let mut count = 0;
        if !first.is_empty() {
            list[0] = ended(first);
            count = 1;
        }
        assert!(others.len() <= 30, "a list of About is too long");
        let mut index = 0;
        while index < others.len() {
            list[count + index] = ended(others[index]);
            index += 1;
        }
        Shared(list)
    }

    pub const fn numbers(list: &'static [u32]) -> [u32; 128] {
        assert!(list.len() <= 126, "About names too many events");
        let mut ended = [0; 128];
        let mut index = 0;
        while index < list.len() {
            ended[index] = list[index];
            index += 1;
        }
        ended
    }

    /// The lists of a descriptor, in the order of its members.
    pub struct Lists {
        pub requires: *const *const c_char,
        pub shared_config: *const *const c_char,
        pub store_keys: *const *const c_char,
        pub wanted_events: *const u32,
        pub read_paths: *const *const c_char,
        pub written_paths: *const *const c_char,
    }

    pub const fn descriptor(about: &About, kind: u32, lists: Lists) -> Shared<tally_descriptor> {
        let deterministic = if kind == plugin_kind::TRACKER { cap::DETERMINISTIC } else { 0 };
        Shared(tally_descriptor {
            struct_size: std::mem::size_of::<tally_descriptor>() as u32, abi_minor: abi_version::MINOR, kind,
            caps: about.caps | deterministic, id: ended(about.id), name: ended(about.name),
            vendor: ended(about.vendor), version: ended(about.version), config_schema: ended(about.config_schema),
            requires_extensions: lists.requires, shared_config: lists.shared_config, store_keys: lists.store_keys,
            build: if about.build.is_empty() { std::ptr::null() } else { ended(about.build) },
            // Without an event it stands for all of them.
            wanted_events: if about.wanted_events.is_empty() { std::ptr::null() } else { lists.wanted_events },
            read_paths: lists.read_paths, written_paths: lists.written_paths,
        })
    }
}

/// The entry of a library with these plugins: `tally_plugins!(tracker Pauses, reporter Lines);`
#[allow(unused_macros)]
macro_rules! tally_plugins {
    ($($kind:ident $plugin:ty),+ $(,)?) => {
        /// The one symbol that the library exports.
        #[no_mangle]
        pub extern "C" fn tally_plugin_entry_v1() -> *const $crate::tally::abi::tally_entry {
            use std::os::raw::c_char;
            use std::ptr::{addr_of, null_mut};
            // No other name of the wrapper: a plugin may have one of the same.
            use $crate::tally::{abi::*, glue};
            static OFFERED: &glue::Shared<[glue::Offered]> = &glue::Shared([$({
                const ABOUT: $crate::tally::About = $crate::tally::offered!(about $kind $plugin);
                const NEEDED: &str = $crate::tally::offered!(needs $kind);
                static REQUIRES: glue::Shared<glue::Texts> = glue::texts(NEEDED, ABOUT.requires);
                static SHARED_CONFIG: glue::Shared<glue::Texts> = glue::texts("", ABOUT.shared_config);
                static STORE_KEYS: glue::Shared<glue::Texts> = glue::texts("", ABOUT.store_keys);
                static WANTED_EVENTS: [u32; 128] = glue::numbers(ABOUT.wanted_events);
                static READ_PATHS: glue::Shared<glue::Texts> = glue::texts("", ABOUT.read_paths);
                static WRITTEN_PATHS: glue::Shared<glue::Texts> = glue::texts("", ABOUT.written_paths);
                const KIND: u32 = $crate::tally::offered!(number $kind);
                static DESCRIPTOR: glue::Shared<tally_descriptor> = glue::descriptor(&ABOUT, KIND, glue::Lists {
                    requires: addr_of!(REQUIRES.0) as *const *const c_char,
                    shared_config: addr_of!(SHARED_CONFIG.0) as *const *const c_char,
                    store_keys: addr_of!(STORE_KEYS.0) as *const *const c_char,
                    wanted_events: addr_of!(WANTED_EVENTS) as *const u32,
                    read_paths: addr_of!(READ_PATHS.0) as *const *const c_char,
                    written_paths: addr_of!(WRITTEN_PATHS.0) as *const *const c_char,
                });
                glue::Offered { about: addr_of!(DESCRIPTOR.0), create: $crate::tally::offered!(create $kind $plugin) }
            }),+]);
            unsafe extern "C" fn described(_: *const tally_entry, index: u32) -> *const tally_descriptor {
                glue::descriptor_at(&OFFERED.0, index)
            }
            unsafe extern "C" fn create(
                _: *const tally_entry, host: *const tally_host, id: *const c_char, run: *const tally_run_info,
            ) -> *const tally_plugin {
                glue::create_named(&OFFERED.0, host, id, run)
            }
            static ENTRY: glue::Shared<tally_entry> = glue::Shared(tally_entry {
                struct_size: std::mem::size_of::<tally_entry>() as u32, abi_minor: $crate::tally::abi_version::MINOR,
                count: OFFERED.0.len() as u32, reserved0: 0, entry_data: null_mut(), descriptor: Some(described),
                create: Some(create),
            });
            &ENTRY.0
        }
    };
}

#[doc(hidden)]
#[allow(unused_macros)]
macro_rules! offered {
    (about tracker $plugin:ty) => { <$plugin as $crate::tally::Tracker>::ABOUT };
    (about reporter $plugin:ty) => { <$plugin as $crate::tally::Reporter>::ABOUT };
    (needs tracker) => { $crate::tally::extension::EMIT };
    (needs reporter) => { "" };
    (number tracker) => { $crate::tally::plugin_kind::TRACKER };
    (number reporter) => { $crate::tally::plugin_kind::REPORTER };
    (create tracker $plugin:ty) => { $crate::tally::glue::create_tracker::<$plugin> };
    (create reporter $plugin:ty) => { $crate::tally::glue::create_reporter::<$plugin> };
}

/// The entry of a library with this tracker.
#[allow(unused_macros)]
macro_rules! tally_tracker {
    ($tracker:ty) => { $crate::tally::tally_plugins!(tracker $tracker); };
}

/// The entry of a library with this reporter.
#[allow(unused_macros)]
macro_rules! tally_reporter {
    ($reporter:ty) => { $crate::tally::tally_plugins!(reporter $reporter); };
}

#[allow(unused_imports)]
pub(crate) use {offered, tally_plugins, tally_reporter, tally_tracker};
