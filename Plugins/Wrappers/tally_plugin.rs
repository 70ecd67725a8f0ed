// Trackers and reporters in Rust: traits in place of tables of functions. One file without dependencies, for Rust 1.63
// and later; put it into your crate with `mod tally { include!(env!("TALLY_PLUGIN_RS")); }`.
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
// Events and texts are lent: the borrow checker holds them to the call. A panic does not leave the plugin: the call
// fails with TALLY_ERR_INTERNAL. Build with `panic = "unwind"`, which is the default.

use std::ffi::{c_void, CStr};
use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};

// ---- the C interface: structures as in the headers, and numbers in a module for each group ----

/// The structures of the C headers, by their names there.
#[allow(non_camel_case_types, dead_code)]
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
        pub beacon: Call<unsafe extern "C" fn(*const tally_host, *const c_void) -> tally_status>,
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
}

macro_rules! numbers {
    ($(#[$about:meta])* $group:ident: $type:ty { $($name:ident $value:literal)* }) => {
        $(#[$about])*
        #[allow(dead_code)]
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

// ---- reading ----

/// One named value of an event or a record.
#[derive(Clone, Copy)]
pub struct Attribute<'a> {
    block: *const u8,
    raw: &'a abi::tally_attr,
}

#[allow(dead_code)]
impl<'a> Attribute<'a> {
    /// The name, also of one that has no number.
    pub fn key(&self) -> &'a str {
        // SAFETY: the host has checked that the offsets of a block lie in it.
        unsafe { text(self.block, self.raw.key_off as u64, self.raw.key_len as usize) }
    }

    pub fn int(&self) -> Option<i64> {
        // SAFETY: the type says which member of the union holds.
        (self.raw.r#type as u32 == value_type::INT).then(|| unsafe { self.raw.v.i })
    }

    pub fn double(&self) -> Option<f64> {
        // SAFETY: as above.
        (self.raw.r#type as u32 == value_type::DOUBLE).then(|| unsafe { self.raw.v.d })
    }

    pub fn bool(&self) -> Option<bool> {
        // SAFETY: as above.
        (self.raw.r#type as u32 == value_type::BOOL).then(|| unsafe { self.raw.v.i } != 0)
    }

    pub fn str(&self) -> Option<&'a str> {
        // SAFETY: as above, and the offset lies in the block.
        (self.raw.r#type as u32 == value_type::STRING)
            .then(|| unsafe { text(self.block, self.raw.v.off, self.raw.len as usize) })
    }
}

/// What the player did.
pub struct Event<'a> {
    pub raw: &'a abi::tally_event,
}

#[allow(dead_code)]
impl<'a> Event<'a> {
    fn base(&self) -> *const u8 {
        self.raw as *const abi::tally_event as *const u8
    }

    /// One of `event_type`.
    pub fn kind(&self) -> u32 {
        self.raw.r#type
    }

    pub fn name(&self) -> &'a str {
        // SAFETY: the host has checked that the offsets of an event lie in it; so in what follows.
        unsafe { text(self.base(), self.raw.type_name_off as u64, self.raw.type_name_len as usize) }
    }

    pub fn time_us(&self) -> i64 {
        self.raw.time_us
    }

    pub fn state(&self) -> abi::tally_state {
        unsafe { copied(self.base().add(self.raw.state_off as usize) as *const abi::tally_state) }
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + 'a {
        unsafe { attributes(self.base(), self.raw.attr_off, self.raw.attr_count) }
    }

    /// The attribute with this number, one of `key`.
    pub fn find(&self, key: u32) -> Option<Attribute<'a>> {
        self.attributes().find(|attribute| attribute.raw.key_id as u32 == key)
    }
}

/// What a tracker said.
pub struct Said<'a> {
    pub raw: &'a abi::tally_record,
}

#[allow(dead_code)]
impl<'a> Said<'a> {
    pub fn kind(&self) -> &'a str {
        let base = self.raw as *const abi::tally_record as *const u8;
        // SAFETY: the host has checked that the offsets of a record lie in it; so below.
        unsafe { text(base, self.raw.kind_off as u64, self.raw.kind_len as usize) }
    }

    pub fn attributes(&self) -> impl Iterator<Item = Attribute<'a>> + 'a {
        let base = self.raw as *const abi::tally_record as *const u8;
        unsafe { attributes(base, self.raw.attr_off, self.raw.attr_count) }
    }
}

/// The text at an offset. What is not UTF-8, which no host hands over, is empty.
unsafe fn text<'a>(base: *const u8, offset: u64, length: usize) -> &'a str {
    std::str::from_utf8(std::slice::from_raw_parts(base.add(offset as usize), length)).unwrap_or("")
}

unsafe fn attributes<'a>(base: *const u8, offset: u32, count: u32) -> impl Iterator<Item = Attribute<'a>> + 'a {
    let first = base.add(offset as usize) as *const abi::tally_attr;
    (0..count as usize).map(move |index| Attribute { block: base, raw: &*first.add(index) })
}

unsafe fn view<'a>(lent: abi::tally_str) -> &'a str {
    if lent.len == 0 { "" } else { text(lent.ptr as *const u8, 0, lent.len) }
}

fn lend(text: &str) -> abi::tally_str {
    abi::tally_str { ptr: text.as_ptr() as *const c_char, len: text.len() }
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

/// Why a call fails: one of `status`, and a sentence for people.
#[derive(Debug)]
pub struct Error {
    pub status: i32,
    pub why: String,
}

pub type Outcome = Result<(), Error>;

#[allow(dead_code)]
impl Error {
    pub fn new(why: impl Into<String>) -> Self {
        Error { status: status::ERR_INTERNAL, why: why.into() }
    }

    /// The configuration cannot be used.
    pub fn configuration(why: impl Into<String>) -> Self {
        Error { status: status::ERR_CONFIG, why: why.into() }
    }
}

/// A record that is being built. A name is in it once.
pub struct Record {
    attributes: Vec<abi::tally_attr>,
    texts: Vec<u8>,
    kind_length: usize,
}

#[allow(dead_code)]
impl Record {
    pub fn new(kind: &str) -> Self {
        Record { attributes: Vec::new(), texts: kind.as_bytes().to_vec(), kind_length: kind.len() }
    }

    pub fn int(self, key: &str, value: i64) -> Self {
        self.add(key, value_type::INT, abi::tally_attr_v { i: value })
    }

    pub fn bool(self, key: &str, value: bool) -> Self {
        self.add(key, value_type::BOOL, abi::tally_attr_v { i: value as i64 })
    }

    /// A whole number becomes an integer, as records have it.
    pub fn double(self, key: &str, value: f64) -> Self {
        if value.trunc() == value && value.abs() < 9007199254740992.0 {
            return self.int(key, value as i64);
        }
        self.add(key, value_type::DOUBLE, abi::tally_attr_v { d: value })
    }

    pub fn str(mut self, key: &str, value: &str) -> Self {
        let offset = self.texts.len() as u64;
        self.texts.extend_from_slice(value.as_bytes());
        self = self.add(key, value_type::STRING, abi::tally_attr_v { off: offset });
        if let Some(last) = self.attributes.last_mut() {
            last.len = value.len() as u32;
        }
        self
    }

    fn add(mut self, key: &str, kind: u32, v: abi::tally_attr_v) -> Self {
        let key_off = self.texts.len() as u32;
        self.texts.extend_from_slice(key.as_bytes());
        self.attributes.push(abi::tally_attr {
            key_off, key_len: key.len() as u16, key_id: 0, r#type: kind as u8, flags: 0, reserved0: 0, len: 0, v,
        });
        self
    }

    /// The block as the host takes it: header, attributes, texts.
    fn block(mut self) -> Vec<u64> {
        let header = std::mem::size_of::<abi::tally_record>();
        let texts = header + self.attributes.len() * std::mem::size_of::<abi::tally_attr>();
        for attribute in &mut self.attributes {
            attribute.key_off += texts as u32;
            if attribute.r#type as u32 == value_type::STRING {
                // SAFETY: the type says which member of the union holds.
                attribute.v.off = unsafe { attribute.v.off } + texts as u64;
            }
        }
        let mut block = vec![0u64; (texts + self.texts.len() + 7) / 8];
        let record = abi::tally_record {
            size: (block.len() * 8) as u32, header_size: header as u32, flags: 0, kind_off: texts as u32,
            kind_len: self.kind_length as u32, attr_off: header as u32, attr_count: self.attributes.len() as u32,
            reserved0: 0,
        };
        let base = block.as_mut_ptr() as *mut u8;
        // SAFETY: the block has room for the header, the attributes and the texts, one behind the other.
        unsafe {
            std::ptr::write(base as *mut abi::tally_record, record);
            let attributes = base.add(header) as *mut abi::tally_attr;
            std::ptr::copy_nonoverlapping(self.attributes.as_ptr(), attributes, self.attributes.len());
            std::ptr::copy_nonoverlapping(self.texts.as_ptr(), base.add(texts), self.texts.len());
        }
        block
    }
}

/// What the host offers. Everything but `log` is for trackers.
pub struct Host {
    raw: *const abi::tally_host,
    calls: abi::tally_host,
    emit: abi::tally_emit,
    timer: abi::tally_timer,
    random: abi::tally_random,
    answers: abi::tally_host_reporter,
}

#[allow(dead_code)]
impl Host {
    // SAFETY in all of these: the host lives until destroy, and who has a &Host is inside a call.

    pub fn log(&self, level: i32, line: &str) {
        if let Some(log) = self.calls.log {
            unsafe { log(self.raw, level, lend(line)) }
        }
    }

    pub fn emit(&self, record: Record) -> Outcome {
        let block = record.block();
        let emit = self.emit.record.ok_or_else(|| Error::new("the host takes no records"))?;
        let status = unsafe { emit(self.raw, block.as_ptr() as *const abi::tally_record, std::ptr::null_mut()) };
        if status < 0 { Err(Error { status, why: "the host refused a record".into() }) } else { Ok(()) }
    }

    /// A timer that fires once; `scope` is one of `timer_scope`.
    pub fn start_timer(&self, deadline_us: i64, scope: u32) -> Result<u64, Error> {
        let start = self.timer.start.ok_or_else(|| Error::new("the host has no timers"))?;
        let mut id = 0;
        let status = unsafe { start(self.raw, deadline_us, scope, &mut id) };
        if status < 0 { Err(Error { status, why: "the host starts no timer".into() }) } else { Ok(id) }
    }

    pub fn cancel_timer(&self, id: u64) {
        if let Some(cancel) = self.timer.cancel {
            unsafe { cancel(self.raw, id) }
        }
    }

    /// The only random source: a replay draws the same numbers.
    pub fn random(&self) -> u64 {
        self.random.next_u64.map_or(0, |next| unsafe { next(self.raw) })
    }

    fn fail(&self, error: &Error) -> i32 {
        if let Some(set_error) = self.calls.set_error {
            unsafe { set_error(self.raw, error.status, lend(&error.why)) }
        }
        error.status
    }

    unsafe fn attach(&mut self) {
        if let Some(get) = self.calls.get_extension {
            self.emit = copied(get(self.raw, b"tally.emit/1\0".as_ptr() as *const c_char) as *const _);
            self.timer = copied(get(self.raw, b"tally.timer/1\0".as_ptr() as *const c_char) as *const _);
            self.random = copied(get(self.raw, b"tally.random/1\0".as_ptr() as *const c_char) as *const _);
            self.answers = copied(get(self.raw, b"tally.host-reporter/1\0".as_ptr() as *const c_char) as *const _);
        }
    }
}

// ---- what a plugin is ----

/// What a host shows of a plugin before it makes an instance. Each text ends with "\0".
pub struct About {
    pub id: &'static str,
    pub name: &'static str,
    pub vendor: &'static str,
    pub version: &'static str,
    pub config_schema: &'static str,
    /// Of `cap`; a tracker is deterministic in any case.
    pub caps: u32,
}

#[allow(dead_code)]
impl About {
    pub const fn new(id: &'static str, name: &'static str, vendor: &'static str, version: &'static str) -> Self {
        let config_schema = "{\"type\":\"object\",\"additionalProperties\":false}\0";
        About { id, name, vendor, version, config_schema, caps: 0 }
    }

    pub const fn schema(mut self, schema: &'static str) -> Self {
        self.config_schema = schema;
        self
    }

    pub const fn caps(mut self, caps: u32) -> Self {
        self.caps = caps;
        self
    }
}

/// A function of its own state and the next event or timer: it reads no clock, no file and no random source.
#[allow(unused_variables)]
pub trait Tracker: Sized {
    const ABOUT: About;
    fn new() -> Self;
    /// Once, before anything else, with JSON text that fits the schema.
    fn configure(&mut self, host: &Host, config: &str) -> Outcome { Ok(()) }
    /// The run and the instance, as the archive's header has them.
    fn run_begins(&mut self, run: &str, instance: &str) {}
    fn session_begin(&mut self, host: &Host, snapshot: &Event) -> Outcome { Ok(()) }
    fn on_event(&mut self, host: &Host, event: &Event) -> Outcome;
    fn on_timer(&mut self, host: &Host, timer: u64, deadline_us: i64, now: &abi::tally_state) -> Outcome { Ok(()) }
    fn session_end(&mut self, host: &Host, reason: u32, now_us: i64, now: &abi::tally_state) -> Outcome { Ok(()) }
}

/// One output, as a reporter is handed it.
pub struct Output<'a> {
    pub raw: &'a abi::tally_output,
}

#[allow(dead_code)]
impl<'a> Output<'a> {
    /// One of `output`.
    pub fn what(&self) -> u32 {
        self.raw.what
    }

    // SAFETY in all of these: the host hands over an origin always, and the item that `what` says.

    pub fn origin(&self) -> &'a abi::tally_origin {
        unsafe { &*self.raw.origin }
    }

    pub fn run(&self) -> &'a str {
        unsafe { view(self.origin().player_run_id) }
    }

    pub fn instance(&self) -> &'a str {
        unsafe { view(self.origin().instance) }
    }

    pub fn record(&self) -> Option<Said<'a>> {
        (self.what() == output::RECORD).then(|| Said { raw: unsafe { &*(self.raw.item as *const abi::tally_record) } })
    }

    pub fn event(&self) -> Option<Event<'a>> {
        let is_event = self.what() == output::EVENT || self.what() == output::SESSION_BEGIN;
        is_event.then(|| Event { raw: unsafe { &*(self.raw.item as *const abi::tally_event) } })
    }
}

/// The only place for files and connections. All calls come on one thread.
#[allow(unused_variables)]
pub trait Reporter: Sized {
    const ABOUT: About;
    /// Bits `1 << output::...` of what it is handed; 0: everything but recovered outputs and archive lines.
    const WANTS: u32 = 0;
    fn new() -> Self;
    fn configure(&mut self, host: &Host, config: &str) -> Outcome { Ok(()) }
    /// False: full for now. The host offers it again.
    fn take(&mut self, host: &Host, output: &Output) -> Result<bool, Error>;
    /// Brings away what it has taken.
    fn flush(&mut self, host: &Host) -> Outcome { Ok(()) }
}

/// An instance, as the host's pointer leads to it.
struct Instance<P> {
    plugin: abi::tally_plugin,
    host: Host,
    part: P,
    taken: u64,
}

/// Makes a call on an instance; what it says of an error goes to the host, a panic does not leave.
unsafe fn guard<P, T>(
    plugin: *const abi::tally_plugin, call: impl FnOnce(&mut P, &Host, &mut u64) -> Result<T, Error>,
) -> Result<T, i32> {
    let instance = &mut *((*plugin).plugin_data as *mut Instance<P>);
    let Instance { host, part, taken, .. } = instance;
    match catch_unwind(AssertUnwindSafe(|| call(part, host, taken))) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(host.fail(&error)),
        Err(_) => Err(host.fail(&Error::new("the plugin panicked"))),
    }
}

fn status_of(outcome: Result<(), i32>) -> i32 {
    outcome.err().unwrap_or(status::OK)
}

/// The functions behind the tables. What the macros use is public, and no interface.
#[doc(hidden)]
#[allow(dead_code)]
pub mod glue {
    use super::abi::*;
    use super::*;

    unsafe extern "C" fn enable(_: *const tally_plugin) -> tally_status { status::OK }
    unsafe extern "C" fn disable(_: *const tally_plugin) {}

    unsafe extern "C" fn destroy<P>(plugin: *const tally_plugin) {
        let instance = (*plugin).plugin_data as *mut Instance<P>;
        let _ = catch_unwind(AssertUnwindSafe(|| drop(Box::from_raw(instance))));
    }

    unsafe extern "C" fn init<P>(plugin: *const tally_plugin, config: tally_str) -> tally_status
    where
        P: Part,
    {
        (*((*plugin).plugin_data as *mut Instance<P>)).host.attach();
        status_of(guard::<P, _>(plugin, |part, host, _| part.configured(host, view(config))))
    }

    /// What trackers and reporters have in common.
    pub trait Part: Sized {
        fn about() -> About;
        fn kind() -> u32;
        fn made(run: *const tally_run_info) -> Self;
        fn configured(&mut self, host: &Host, config: &str) -> Outcome;
    }

    pub struct Tracking<T>(pub T);
    impl<T: Tracker> Part for Tracking<T> {
        fn about() -> About { T::ABOUT }
        fn kind() -> u32 { plugin_kind::TRACKER }
        fn made(run: *const tally_run_info) -> Self {
            let mut tracker = T::new();
            if let Some(run) = unsafe { run.as_ref() } {
                unsafe { tracker.run_begins(view(run.player_run_id), view(run.instance)) }
            }
            Tracking(tracker)
        }
        fn configured(&mut self, host: &Host, config: &str) -> Outcome { self.0.configure(host, config) }
    }

    pub struct Reporting<R>(pub R);
    impl<R: Reporter> Part for Reporting<R> {
        fn about() -> About { R::ABOUT }
        fn kind() -> u32 { plugin_kind::REPORTER }
        fn made(_: *const tally_run_info) -> Self { Reporting(R::new()) }
        fn configured(&mut self, host: &Host, config: &str) -> Outcome { self.0.configure(host, config) }
    }

    unsafe extern "C" fn session_begin<T: Tracker>(p: *const tally_plugin, event: *const tally_event) -> tally_status {
        status_of(guard::<Tracking<T>, _>(p, |t, host, _| t.0.session_begin(host, &Event { raw: &*event })))
    }
    unsafe extern "C" fn on_event<T: Tracker>(p: *const tally_plugin, event: *const tally_event) -> tally_status {
        status_of(guard::<Tracking<T>, _>(p, |t, host, _| t.0.on_event(host, &Event { raw: &*event })))
    }
    unsafe extern "C" fn on_timer<T: Tracker>(p: *const tally_plugin, id: u64, at: i64, now: *const tally_state) {
        let _ = guard::<Tracking<T>, _>(p, |t, host, _| t.0.on_timer(host, id, at, &copied(now)));
    }
    unsafe extern "C" fn session_end<T: Tracker>(p: *const tally_plugin, why: u32, at: i64, now: *const tally_state) {
        let _ = guard::<Tracking<T>, _>(p, |t, host, _| t.0.session_end(host, why, at, &copied(now)));
    }

    unsafe extern "C" fn take<R: Reporter>(
        p: *const tally_plugin, items: *const *const tally_output, count: u64,
    ) -> i64 {
        let mut taken = 0;
        let outcome = guard::<Reporting<R>, _>(p, |reporter, host, total| {
            while taken < count && reporter.0.take(host, &Output { raw: &**items.add(taken as usize) })? {
                taken += 1;
                *total += 1;
            }
            Ok(())
        });
        // What was taken before an error is not lost with the rest.
        match outcome {
            Err(status) if taken == 0 => i64::from(status),
            _ => taken as i64,
        }
    }
    unsafe extern "C" fn flush<R: Reporter>(p: *const tally_plugin, token: u64, _: tally_str, _: u32, _: i64) {
        let outcome = guard::<Reporting<R>, _>(p, |reporter, host, _| reporter.0.flush(host));
        let instance = &mut *((*p).plugin_data as *mut Instance<Reporting<R>>);
        let count = std::mem::take(&mut instance.taken);
        let (delivered, lost) = if outcome.is_ok() { (count, 0) } else { (0, count) };
        if let Some(flushed) = instance.host.answers.flushed {
            flushed(instance.host.raw, token, delivered, 0, lost)
        }
    }

    unsafe extern "C" fn tracker_table<T: Tracker>(_: *const tally_plugin, id: *const c_char) -> *const c_void {
        if CStr::from_ptr(id).to_bytes() != b"tally.tracker/1" { return std::ptr::null() }
        let table: &'static tally_tracker = &tally_tracker {
            struct_size: std::mem::size_of::<tally_tracker>() as u32, reserved0: 0,
            session_begin: Some(session_begin::<T>), on_event: Some(on_event::<T>), on_timer: Some(on_timer::<T>),
            session_end: Some(session_end::<T>),
        };
        table as *const tally_tracker as *const c_void
    }
    unsafe extern "C" fn reporter_table<R: Reporter>(_: *const tally_plugin, id: *const c_char) -> *const c_void {
        if CStr::from_ptr(id).to_bytes() != b"tally.reporter/1" { return std::ptr::null() }
        let table: &'static tally_reporter = &tally_reporter {
            struct_size: std::mem::size_of::<tally_reporter>() as u32, wants: R::WANTS, take: Some(take::<R>),
            flush: Some(flush::<R>),
        };
        table as *const tally_reporter as *const c_void
    }

    type Tables = unsafe extern "C" fn(*const tally_plugin, *const c_char) -> *const c_void;

    unsafe fn create<P: Part>(
        host: *const tally_host, id: *const c_char, run: *const tally_run_info, tables: Tables,
    ) -> *const tally_plugin {
        if CStr::from_ptr(id).to_bytes_with_nul() != P::about().id.as_bytes() { return std::ptr::null() }
        let none = std::ptr::null();
        let made = catch_unwind(AssertUnwindSafe(|| {
            let plugin = tally_plugin {
                struct_size: std::mem::size_of::<tally_plugin>() as u32, reserved0: 0,
                plugin_data: std::ptr::null_mut(), init: Some(init::<P>), enable: Some(enable), disable: Some(disable),
                destroy: Some(destroy::<P>), get_extension: Some(tables),
            };
            let host = Host {
                raw: host, calls: copied(host), emit: copied(std::ptr::null()), timer: copied(std::ptr::null()),
                random: copied(std::ptr::null()), answers: copied(std::ptr::null()),
            };
            Box::into_raw(Box::new(Instance { plugin, host, part: P::made(run), taken: 0 }))
        }));
        made.map_or(none, |instance| {
            (*instance).plugin.plugin_data = instance as *mut c_void;
            &(*instance).plugin as *const tally_plugin
        })
    }
    pub unsafe extern "C" fn create_tracker<T: Tracker>(
        _: *const tally_entry, host: *const tally_host, id: *const c_char, run: *const tally_run_info,
    ) -> *const tally_plugin {
        create::<Tracking<T>>(host, id, run, tracker_table::<T>)
    }
    pub unsafe extern "C" fn create_reporter<R: Reporter>(
        _: *const tally_entry, host: *const tally_host, id: *const c_char, run: *const tally_run_info,
    ) -> *const tally_plugin {
        create::<Reporting<R>>(host, id, run, reporter_table::<R>)
    }

    /// Constant after it was made, and shared by all threads.
    pub struct Shared<T>(pub T);
    unsafe impl<T> Sync for Shared<T> {}

    /// The text as C reads it. The plugin does not compile where the "\0" at its end is missing.
    const fn ended(text: &'static str) -> *const c_char {
        let bytes = text.as_bytes();
        assert!(!bytes.is_empty() && bytes[bytes.len() - 1] == 0, "a text of About does not end with \\0");
        text.as_ptr() as *const c_char
    }

    pub const fn descriptor(about: About, kind: u32, needs: *const *const c_char) -> Shared<tally_descriptor> {
        let deterministic = if kind == plugin_kind::TRACKER { cap::DETERMINISTIC } else { 0 };
        let (none, list) = (std::ptr::null(), std::ptr::null());
        Shared(tally_descriptor {
            struct_size: std::mem::size_of::<tally_descriptor>() as u32, abi_minor: 0, kind,
            caps: about.caps | deterministic, id: ended(about.id), name: ended(about.name),
            vendor: ended(about.vendor), version: ended(about.version),
            config_schema: ended(about.config_schema), requires_extensions: needs,
            shared_config: list, store_keys: list, build: none, wanted_events: std::ptr::null(), read_paths: list,
            written_paths: list,
        })
    }
}

#[doc(hidden)]
#[allow(unused_macros)]
macro_rules! entry {
    ($tally:ident, $kind:ident, $create:path, $about:expr, $needs:expr) => {
        /// The one symbol that the library exports.
        #[no_mangle]
        pub extern "C" fn tally_plugin_entry_v1() -> *const $tally::abi::tally_entry {
            use std::os::raw::c_char;
            use $tally::{abi::*, glue::*};
            static NEEDS: Shared<[*const c_char; 2]> = Shared($needs);
            static ABOUT: Shared<tally_descriptor> =
                descriptor($about, $tally::plugin_kind::$kind, std::ptr::addr_of!(NEEDS.0) as *const _);
            unsafe extern "C" fn described(_: *const tally_entry, index: u32) -> *const tally_descriptor {
                if index == 0 { &ABOUT.0 } else { std::ptr::null() }
            }
            static ENTRY: Shared<tally_entry> = Shared(tally_entry {
                struct_size: std::mem::size_of::<tally_entry>() as u32, abi_minor: 0, count: 1, reserved0: 0,
                entry_data: std::ptr::null_mut(), descriptor: Some(described), create: Some($create),
            });
            &ENTRY.0
        }
    };
}

/// The entry of a library with this tracker.
#[allow(unused_macros)]
macro_rules! tally_tracker {
    ($tracker:ty) => {
        $crate::tally::entry!(tally, TRACKER, create_tracker::<$tracker>, <$tracker as tally::Tracker>::ABOUT,
            [b"tally.emit/1\0".as_ptr() as *const c_char, std::ptr::null()]);
    };
}

/// The entry of a library with this reporter.
#[allow(unused_macros)]
macro_rules! tally_reporter {
    ($reporter:ty) => {
        $crate::tally::entry!(tally, REPORTER, create_reporter::<$reporter>, <$reporter as tally::Reporter>::ABOUT,
            [std::ptr::null(), std::ptr::null()]);
    };
}

#[allow(unused_imports)]
pub(crate) use {entry, tally_reporter, tally_tracker};
