/* Trackers and reporters in C++17: classes in place of tables of functions. One file, inline, beside the C headers.
 *
 *   struct Pauses : tally::Tracker {
 *     static constexpr tally::About about{"org.example.pauses", "Pauses", "Example", "1.0.0"};
 *     int64_t count = 0;
 *     void session_begin(tally::Event) override { count = 0; }
 *     void on_event(tally::Event event) override { count += event.type() == TALLY_EVENT_TYPE_PAUSE; }
 *     void session_end(uint32_t, int64_t, const tally_state &) override {
 *       record("summary").set("pauses", count).emit();
 *     }
 *   };
 *   TALLY_PLUGIN(Pauses)
 *
 * Events and texts are lent: a std::string_view of one is valid until the call returns. An exception does not leave the
 * plugin: its text is the reason that the host logs, and the call fails.
 */
#ifndef TALLY_PLUGIN_HPP
#define TALLY_PLUGIN_HPP

#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tally_blocks.h"

namespace tally {

/* What a host shows of a plugin before it makes an instance. The texts end with a NUL byte. */
struct About {
  const char *id, *name, *vendor, *version;
  const char *config_schema = "{\"type\":\"object\",\"additionalProperties\":false}";
  uint32_t caps = 0;                         /* TALLY_CAP_...; a tracker is deterministic in any case */
  const uint32_t *wanted_events = nullptr;   /* TALLY_EVENT_TYPE_..., ended by 0; nullptr: every event */
  const char *const *written_paths = nullptr; /* members of the configuration, ended by nullptr */
};

/* Ends a call with one of TALLY_ERR_... and says why. */
struct Error : std::runtime_error {
  tally_status status;
  explicit Error(const std::string &why, tally_status status = TALLY_ERR_INTERNAL)
      : std::runtime_error(why), status(status) {}
};

inline std::string_view view(tally_str text) {
  return text.len ? std::string_view(text.ptr, text.len) : std::string_view();
}

inline tally_str lend(std::string_view text) {
  tally_str lent;
  lent.ptr = text.data();
  lent.len = text.size();
  return lent;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* One named value of an event or a record. */
class Attribute {
 public:
  Attribute(const void *block, const tally_attr *attr) : block_(block), attr_(attr) {}

  const tally_attr &raw() const { return *attr_; }
  std::string_view key() const { return view(tally_block_text(block_, attr_->key_off, attr_->key_len)); }

  std::optional<int64_t> integer() const {
    return attr_->type == TALLY_T_INT ? std::optional<int64_t>(attr_->v.i) : std::nullopt;
  }
  std::optional<double> number() const {
    if (attr_->type == TALLY_T_DOUBLE) return attr_->v.d;
    return attr_->type == TALLY_T_INT ? std::optional<double>(static_cast<double>(attr_->v.i)) : std::nullopt;
  }
  std::optional<bool> boolean() const {
    return attr_->type == TALLY_T_BOOL ? std::optional<bool>(attr_->v.i != 0) : std::nullopt;
  }
  std::optional<std::string_view> text() const {
    if (attr_->type != TALLY_T_STRING) return std::nullopt;
    return view(tally_attr_text(block_, attr_));
  }

 private:
  const void *block_;
  const tally_attr *attr_;
};

/* The attributes of a block, in their order. */
class Attributes {
 public:
  Attributes(const void *block, uint32_t offset, uint32_t count)
      : block_(block), first_(static_cast<const tally_attr *>(tally_block_at(block, offset))), count_(count) {}

  uint32_t size() const { return count_; }
  Attribute operator[](uint32_t index) const { return Attribute(block_, first_ + index); }

  /* By the number TALLY_KEY_.... */
  std::optional<Attribute> find(uint16_t key) const {
    for (uint32_t i = 0; i < count_; i++)
      if (first_[i].key_id == key) return (*this)[i];
    return std::nullopt;
  }
  std::optional<Attribute> find(std::string_view name) const {
    for (uint32_t i = 0; i < count_; i++)
      if ((*this)[i].key() == name) return (*this)[i];
    return std::nullopt;
  }

 private:
  const void *block_;
  const tally_attr *first_;
  uint32_t count_;
};

/* What the player did. */
class Event {
 public:
  explicit Event(const tally_event *event) : event_(event) {}

  const tally_event &raw() const { return *event_; }
  uint32_t type() const { return event_->type; } /* TALLY_EVENT_TYPE_... */
  std::string_view name() const { return view(tally_event_name(event_)); }
  int64_t time_us() const { return event_->time_us; }
  uint32_t session() const { return event_->session; }
  tally_state state() const { return tally_event_state(event_); }
  Attributes attributes() const { return Attributes(event_, event_->attr_off, event_->attr_count); }

 private:
  const tally_event *event_;
};

/* What a tracker said. */
class Record {
 public:
  explicit Record(const tally_record *record) : record_(record) {}

  std::string_view kind() const { return view(tally_block_text(record_, record_->kind_off, record_->kind_len)); }
  Attributes attributes() const { return Attributes(record_, record_->attr_off, record_->attr_count); }

 private:
  const tally_record *record_;
};

/* ---- instances ------------------------------------------------------------------------------------------------ */

/* What trackers and reporters have in common. The host is there from `configure` on. */
class Instance {
 public:
  virtual ~Instance() = default;

  /* Once, before anything else. `config` is JSON text that fits About.config_schema. Throw an Error with
   * TALLY_ERR_CONFIG for one that makes no sense. */
  virtual void configure(std::string_view config) { (void)config; }

  void log(int32_t level, std::string_view line) const {
    if (host_.log) host_.log(raw_host_, level, lend(line));
  }

 protected:
  const tally_host *host() const { return raw_host_; }

  /* An extension of the host, such as tally_store; all functions are NULL where it is not offered. */
  template <typename Table>
  Table extension(const char *id) const {
    Table table;
    tally_copy(&table, sizeof table, host_.get_extension ? host_.get_extension(raw_host_, id) : nullptr);
    return table;
  }

 private:
  template <typename>
  friend class Library;
  virtual void attach() = 0; /* fetches what it needs of the host */

  tally_plugin plugin_ = {};
  const tally_host *raw_host_ = nullptr;
  tally_host host_ = {};
};

class Tracker;

/* A record that is being built; it becomes one with `emit`. A name is in it once. */
class RecordBuilder {
 public:
  RecordBuilder &set(std::string_view key, int64_t value) {
    add(key, TALLY_T_INT).v.i = value;
    return *this;
  }
  RecordBuilder &set(std::string_view key, int value) { return set(key, static_cast<int64_t>(value)); }
  RecordBuilder &set(std::string_view key, bool value) {
    add(key, TALLY_T_BOOL).v.i = value;
    return *this;
  }
  RecordBuilder &set(std::string_view key, double value) {
    const bool is_whole = std::abs(value) < 9007199254740992.0 && std::trunc(value) == value;
    if (is_whole) return set(key, static_cast<int64_t>(value));
    add(key, TALLY_T_DOUBLE).v.d = value;
    return *this;
  }
  RecordBuilder &set(std::string_view key, std::string_view value) {
    tally_attr &attr = add(key, TALLY_T_STRING);
    attr.len = static_cast<uint32_t>(value.size());
    attr.v.off = texts_.size();
    texts_ += value;
    return *this;
  }
  RecordBuilder &set(std::string_view key, const char *value) { return set(key, std::string_view(value)); }

  inline void emit(); /* hands the record to the host */

 private:
  friend class Tracker;
  RecordBuilder &begin(std::string_view kind) {
    attrs_.clear();
    texts_ = kind;
    kind_length_ = static_cast<uint32_t>(kind.size());
    return *this;
  }
  tally_attr &add(std::string_view key, uint32_t type) {
    tally_attr attr = {};
    attr.key_off = static_cast<uint32_t>(texts_.size());
    attr.key_len = static_cast<uint16_t>(key.size());
    attr.type = static_cast<uint8_t>(type);
    texts_ += key;
    attrs_.push_back(attr);
    return attrs_.back();
  }

  Tracker *tracker_ = nullptr;
  std::vector<tally_attr> attrs_;
  std::string texts_; /* the kind first */
  std::vector<uint64_t> block_;
  uint32_t kind_length_ = 0;
};

/* A function of its own state and the next event or timer: it reads no clock, no file and no random source. */
class Tracker : public Instance {
 public:
  Tracker() { builder_.tracker_ = this; }

  virtual void session_begin(Event snapshot) { (void)snapshot; }
  virtual void on_event(Event event) = 0;
  virtual void on_timer(uint64_t timer, int64_t deadline_us, const tally_state &now) {
    (void)timer, (void)deadline_us, (void)now;
  }
  virtual void session_end(uint32_t reason, int64_t now_us, const tally_state &now) {
    (void)reason, (void)now_us, (void)now;
  }

 protected:
  /* Begins a record. There is one at a time, in memory that is used again. */
  RecordBuilder &record(std::string_view kind) { return builder_.begin(kind); }

  uint64_t start_timer(int64_t deadline_us, uint32_t scope = TALLY_TIMER_SESSION) {
    uint64_t id = 0;
    const tally_status status = timer_.start ? timer_.start(host(), deadline_us, scope, &id) : TALLY_ERR_UNSUPPORTED;
    if (status < 0) throw Error("the host starts no timer", status);
    return id;
  }
  void cancel_timer(uint64_t id) {
    if (timer_.cancel) timer_.cancel(host(), id);
  }
  /* The only random source: a replay draws the same numbers. */
  uint64_t random() { return random_.next_u64 ? random_.next_u64(host()) : 0; }

 private:
  friend class RecordBuilder;
  void attach() override {
    emit_ = extension<tally_emit>(TALLY_EXT_EMIT);
    timer_ = extension<tally_timer>(TALLY_EXT_TIMER);
    random_ = extension<tally_random>(TALLY_EXT_RANDOM);
    if (!emit_.record) throw Error("the host takes no records", TALLY_ERR_UNSUPPORTED);
  }

  RecordBuilder builder_;
  tally_emit emit_ = {};
  tally_timer timer_ = {};
  tally_random random_ = {};
};

inline void RecordBuilder::emit() {
  const size_t texts = sizeof(tally_record) + attrs_.size() * sizeof(tally_attr);
  block_.assign((texts + texts_.size() + 7) / 8, 0);
  tally_record record = {};
  record.size = static_cast<uint32_t>(block_.size() * 8);
  record.header_size = record.attr_off = sizeof record;
  record.attr_count = static_cast<uint32_t>(attrs_.size());
  record.kind_off = static_cast<uint32_t>(texts);
  record.kind_len = kind_length_;
  for (tally_attr &attr : attrs_) {
    attr.key_off += record.kind_off;
    if (attr.type == TALLY_T_STRING) attr.v.off += texts;
  }
  void *block = block_.data();
  char *bytes = static_cast<char *>(block);
  memcpy(bytes, &record, sizeof record);
  if (!attrs_.empty()) memcpy(bytes + sizeof record, attrs_.data(), attrs_.size() * sizeof(tally_attr));
  memcpy(bytes + texts, texts_.data(), texts_.size());
  const tally_record *made = static_cast<const tally_record *>(block);
  const tally_status status = tracker_->emit_.record(tracker_->host(), made, nullptr);
  if (status < 0) throw Error("the host refused a record", status);
}

/* One output, as a reporter is handed it. */
class Output {
 public:
  explicit Output(const tally_output *output) : output_(output) {}

  uint32_t what() const { return output_->what; } /* TALLY_OUTPUT_... */
  const tally_origin &origin() const { return *output_->origin; }
  std::string_view run() const { return view(output_->origin->player_run_id); }
  std::string_view instance() const { return view(output_->origin->instance); }
  Record record() const { return Record(static_cast<const tally_record *>(output_->item)); }
  Event event() const { return Event(static_cast<const tally_event *>(output_->item)); }

 private:
  const tally_output *output_;
};

/* The only place for files and connections. All calls come on one thread. */
class Reporter : public Instance {
 public:
  /* Bits 1 << TALLY_OUTPUT_... of what it is handed; 0: everything but recovered outputs and archive lines. */
  virtual uint32_t wants() const { return 0; }
  /* False: full for now. The host offers it again. */
  virtual bool take(Output output) = 0;
  /* Brings away what it has taken; an exception says that this was lost. */
  virtual void flush() {}

 private:
  template <typename>
  friend class Library;
  void attach() override { answers_ = extension<tally_host_reporter>(TALLY_EXT_HOST_REPORTER); }

  tally_host_reporter answers_ = {};
  tally_reporter table_ = {};
  uint64_t taken_ = 0;
};

/* ---- the C interface ------------------------------------------------------------------------------------------ */

/* The tables of a library with one plugin. */
template <typename Plugin>
class Library {
  static constexpr bool tracks = std::is_base_of_v<Tracker, Plugin>;
  using Part = std::conditional_t<tracks, Tracker, Reporter>;

  static Part &part(const tally_plugin *self) { return *static_cast<Plugin *>(self->plugin_data); }

  static tally_status fail(const Instance &instance, tally_status status, const char *why) noexcept {
    if (instance.host_.set_error) instance.host_.set_error(instance.raw_host_, status, tally_text(why));
    return status;
  }

  /* Makes a call that may throw, and tells the host why it failed. */
  template <typename Call>
  static tally_status guard(const tally_plugin *self, Call call) noexcept {
    try {
      call(part(self));
      return TALLY_OK;
    } catch (const Error &error) {
      return fail(part(self), error.status, error.what());
    } catch (const std::exception &error) {
      return fail(part(self), TALLY_ERR_INTERNAL, error.what());
    } catch (...) {
      return fail(part(self), TALLY_ERR_INTERNAL, "an exception");
    }
  }

  static tally_state copied(const tally_state *state) {
    tally_state now;
    tally_copy(&now, sizeof now, state);
    return now;
  }

  static tally_tracker tracker() {
    tally_tracker table = {};
    table.struct_size = sizeof table;
    if constexpr (tracks) {
      table.session_begin = [](auto self, auto snapshot) {
        return guard(self, [&](Tracker &tracker) { tracker.session_begin(Event(snapshot)); });
      };
      table.on_event = [](auto self, auto event) {
        return guard(self, [&](Tracker &tracker) { tracker.on_event(Event(event)); });
      };
      table.on_timer = [](auto self, auto timer, auto deadline, auto now) {
        guard(self, [&](Tracker &tracker) { tracker.on_timer(timer, deadline, copied(now)); });
      };
      table.session_end = [](auto self, auto reason, auto now_us, auto now) {
        guard(self, [&](Tracker &tracker) { tracker.session_end(reason, now_us, copied(now)); });
      };
    }
    return table;
  }

  static tally_reporter reporter() {
    tally_reporter table = {};
    table.struct_size = sizeof table;
    if constexpr (!tracks) {
      table.take = [](auto self, auto items, auto count) {
        int64_t taken = 0;
        const tally_status status = guard(self, [&](Reporter &reporter) {
          while (static_cast<uint64_t>(taken) < count && reporter.take(Output(items[taken]))) taken++;
        });
        Reporter &reporter = part(self);
        reporter.taken_ += static_cast<uint64_t>(taken);
        /* What was taken before an exception is not lost with the rest. */
        return status < 0 && taken == 0 ? int64_t{status} : taken;
      };
      table.flush = [](auto self, auto token, auto, auto, auto) {
        Reporter &reporter = part(self);
        const bool lost = guard(self, [&](Reporter &flushed) { flushed.flush(); }) < 0;
        const uint64_t count = std::exchange(reporter.taken_, 0);
        if (reporter.answers_.flushed)
          reporter.answers_.flushed(reporter.host(), token, lost ? 0 : count, 0, lost ? count : 0);
      };
    }
    return table;
  }

  static const void *get_extension(const tally_plugin *self, const char *id) {
    static const tally_tracker as_tracker = tracker();
    if constexpr (tracks) {
      return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &as_tracker : nullptr;
    } else {
      if (strcmp(id, TALLY_EXT_REPORTER) != 0) return nullptr;
      Reporter &instance = part(self);
      instance.table_ = reporter();
      instance.table_.wants = instance.wants();
      return &instance.table_;
    }
  }

  static const tally_plugin *create(
      const tally_entry *, const tally_host *host, const char *id, const tally_run_info *) noexcept try {
    if (strcmp(id, Plugin::about.id) != 0) return nullptr;
    auto plugin = std::make_unique<Plugin>();
    Instance &instance = *plugin;
    instance.raw_host_ = host;
    tally_copy(&instance.host_, sizeof instance.host_, host);
    tally_plugin &table = instance.plugin_;
    table.struct_size = sizeof table;
    table.init = [](auto self, auto config) {
      return guard(self, [&](Instance &made) {
        made.attach();
        made.configure(view(config));
      });
    };
    table.enable = [](auto) { return tally_status{TALLY_OK}; };
    table.disable = [](auto) {};
    table.destroy = [](auto self) { delete static_cast<Plugin *>(self->plugin_data); };
    table.get_extension = get_extension;
    table.plugin_data = plugin.release();
    return &table;
  } catch (...) {
    return nullptr;
  }

  static const tally_descriptor *descriptor(const tally_entry *, uint32_t index) {
    static const char *const needed[] = {tracks ? TALLY_EXT_EMIT : nullptr, nullptr};
    static const tally_descriptor about = [] {
      constexpr About from = Plugin::about;
      tally_descriptor made = {};
      made.struct_size = sizeof made;
      made.abi_minor = TALLY_ABI_MINOR;
      made.kind = tracks ? TALLY_KIND_TRACKER : TALLY_KIND_REPORTER;
      made.caps = from.caps | (tracks ? TALLY_CAP_DETERMINISTIC : 0u);
      made.id = from.id;
      made.name = from.name;
      made.vendor = from.vendor;
      made.version = from.version;
      made.config_schema = from.config_schema;
      made.requires_extensions = needed;
      made.wanted_events = from.wanted_events;
      made.written_paths = from.written_paths;
      return made;
    }();
    return index == 0 ? &about : nullptr;
  }

 public:
  static const tally_entry *entry() {
    static const tally_entry table = [] {
      tally_entry made = {};
      made.struct_size = sizeof made;
      made.abi_minor = TALLY_ABI_MINOR;
      made.count = 1;
      made.descriptor = descriptor;
      made.create = create;
      return made;
    }();
    return &table;
  }
};

}  // namespace tally

/* The entry of a library with this plugin, in one source file at the outermost level. */
#define TALLY_PLUGIN(PLUGIN) \
  const tally_entry *tally_plugin_entry_v1(void) { return tally::Library<PLUGIN>::entry(); }

#endif
