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
 * Events and texts are lent: a std::string_view of one is valid until the call returns. Calls of one instance come one
 * by one: those of a tracker not always on the same thread, those of a reporter always. An exception does not leave the
 * plugin: its text is the reason that the host logs, and the call fails; where a call returns nothing, it becomes a
 * line of the host's log. Which call of the headers is reached by what is in README.md of Plugins/Wrappers in a
 * checkout.
 */
#ifndef TALLY_PLUGIN_HPP
#define TALLY_PLUGIN_HPP

#include <cmath>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tally_blocks.h"

namespace tally {

/* What a host shows of a plugin before it makes an instance. All texts end with a NUL byte, all lists with nullptr.
 * They are constant and live as long as the process. */
struct About {
  const char *id;      /* in reverse-DNS form, never changed */
  const char *name;    /* for people */
  const char *vendor;  /* for people */
  const char *version; /* MAJOR.MINOR.MICRO */
  /* JSON Schema text of the configuration. */
  const char *config_schema = "{\"type\":\"object\",\"additionalProperties\":false}";
  uint32_t caps = 0;                          /* TALLY_CAP_...; a tracker is deterministic in any case */
  const uint32_t *wanted_events = nullptr;    /* TALLY_EVENT_TYPE_..., ended by 0; nullptr: every event */
  const char *const *written_paths = nullptr; /* members of the configuration that are paths which it writes */
  const char *const *read_paths = nullptr;    /* and those which it only reads */
  const char *const *store_keys = nullptr;    /* keys of the persistent values that it reads and writes */
  const char *const *shared_config = nullptr; /* paths of shared files whose content it also gets */
  const char *const *required = nullptr;      /* host extensions, beside that for records; at most 16 */
  const char *build = nullptr;                /* PATCH-COMMIT, such as "0-3a4f2c1" */

  /* The same with other lists: `About{...}.with_store_keys(keys)`. */
  constexpr About with_wanted_events(const uint32_t *value) const {
    About changed = *this;
    changed.wanted_events = value;
    return changed;
  }
  constexpr About with_written_paths(const char *const *value) const {
    About changed = *this;
    changed.written_paths = value;
    return changed;
  }
  constexpr About with_read_paths(const char *const *value) const {
    About changed = *this;
    changed.read_paths = value;
    return changed;
  }
  constexpr About with_store_keys(const char *const *value) const {
    About changed = *this;
    changed.store_keys = value;
    return changed;
  }
  constexpr About with_shared_config(const char *const *value) const {
    About changed = *this;
    changed.shared_config = value;
    return changed;
  }
  constexpr About with_required(const char *const *value) const {
    About changed = *this;
    changed.required = value;
    return changed;
  }
  constexpr About with_build(const char *value) const {
    About changed = *this;
    changed.build = value;
    return changed;
  }
};

/* Ends a call with one of TALLY_ERR_... and says why. A status that is no error counts as TALLY_ERR_INTERNAL. */
struct Error : std::runtime_error {
  tally_status status;
  explicit Error(const std::string &why, tally_status status = TALLY_ERR_INTERNAL)
      : std::runtime_error(why), status(status) {}
};

/* The text that is lent, as C++ has it. It stays lent. */
inline std::string_view view(tally_str text) {
  return text.len ? std::string_view(text.ptr, text.len) : std::string_view();
}

/* Lends a text to the host until the call returns. */
inline tally_str lend(std::string_view text) {
  tally_str lent;
  lent.ptr = text.data();
  lent.len = text.size();
  return lent;
}

/* ---- reading -------------------------------------------------------------------------------------------------- */

/* Any bytes. */
using Bytes = std::vector<uint8_t>;

/* A value that is owned: what an attribute holds, or what is to go into a record. In a record a whole number below 2^53
 * in magnitude is an integer and each other number a double, as the data model has it. */
struct Value {
  using List = std::vector<Value>;
  /* nullptr: said to be nothing, which differs from an attribute that is absent. A text has at most 64 KiB, lists are
   * at most 8 deep. */
  std::variant<std::nullptr_t, bool, int64_t, double, std::string, Bytes, List> held;

  Value(std::nullptr_t = nullptr) : held(nullptr) {}
  Value(bool value) : held(value) {}
  Value(int value) : held(int64_t{value}) {}
  Value(int64_t value) : held(value) {}
  Value(double value) : held(value) {}
  Value(const char *value) : held(std::string(value)) {}
  Value(std::string_view value) : held(std::string(value)) {}
  Value(std::string value) : held(std::move(value)) {}
  Value(Bytes value) : held(std::move(value)) {}
  Value(List value) : held(std::move(value)) {}
};

class Attributes;

/* One named value of an event or a record. It is lent until the call returns. */
class Attribute {
 public:
  Attribute(const void *block, const tally_attr *attr) : block_(block), attr_(attr) {}

  /* The structure of the headers. */
  const tally_attr &raw() const { return *attr_; }
  /* The name, also of one that has no number; empty in a list. */
  std::string_view key() const { return view(tally_block_text(block_, attr_->key_off, attr_->key_len)); }

  /* The whole number, where it is one. */
  std::optional<int64_t> integer() const {
    return attr_->type == TALLY_T_INT ? std::optional<int64_t>(attr_->v.i) : std::nullopt;
  }
  /* The number, whole or not, where it is one. */
  std::optional<double> number() const {
    if (attr_->type == TALLY_T_DOUBLE) return attr_->v.d;
    return attr_->type == TALLY_T_INT ? std::optional<double>(static_cast<double>(attr_->v.i)) : std::nullopt;
  }
  /* The truth value, where it is one. */
  std::optional<bool> boolean() const {
    return attr_->type == TALLY_T_BOOL ? std::optional<bool>(attr_->v.i != 0) : std::nullopt;
  }
  /* The text, where it is one. It is lent until the call returns. */
  std::optional<std::string_view> text() const {
    if (attr_->type != TALLY_T_STRING) return std::nullopt;
    return view(tally_attr_text(block_, attr_));
  }
  /* The bytes, where they are no text: a copy. */
  std::optional<Bytes> bytes() const {
    if (attr_->type != TALLY_T_BYTES) return std::nullopt;
    const auto *first = static_cast<const uint8_t *>(tally_block_at(block_, attr_->v.off));
    return Bytes(first, first + attr_->len);
  }
  /* The values of a list, where it is one; they have no names. */
  inline std::optional<Attributes> list() const;
  /* A copy of the value; nothing for a type that a newer host may have. */
  inline std::optional<Value> value() const;

  /* Whether it is said to be nothing, which differs from an attribute that is absent. */
  bool is_null() const { return attr_->type == TALLY_T_NULL; }
  /* Whether it may tell who the viewer is. */
  bool is_personal() const { return (attr_->flags & TALLY_ATTR_PERSONAL) != 0; }
  /* Whether the application has named it. */
  bool is_custom() const { return (attr_->flags & TALLY_ATTR_CUSTOM) != 0; }

 private:
  const void *block_;
  const tally_attr *attr_;
};

/* The attributes of a block, or the values of a list, in their order. They are lent until the call returns. */
class Attributes {
 public:
  Attributes(const void *block, uint64_t offset, uint32_t count)
      : block_(block), first_(static_cast<const tally_attr *>(tally_block_at(block, offset))), count_(count) {}

  /* How many there are. */
  uint32_t size() const { return count_; }
  /* The one with this index, below `size`. */
  Attribute operator[](uint32_t index) const { return Attribute(block_, first_ + index); }

  /* The one with the number TALLY_KEY_.... */
  std::optional<Attribute> find(uint16_t key) const {
    for (uint32_t i = 0; i < count_; i++)
      if (first_[i].key_id == key) return (*this)[i];
    return std::nullopt;
  }
  /* The one of this name, which an application may have chosen. */
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

inline std::optional<Attributes> Attribute::list() const {
  if (attr_->type != TALLY_T_LIST) return std::nullopt;
  return Attributes(block_, attr_->v.off, attr_->len);
}

inline std::optional<Value> Attribute::value() const {
  switch (attr_->type) {
    case TALLY_T_NULL: return Value(nullptr);
    case TALLY_T_BOOL: return Value(attr_->v.i != 0);
    case TALLY_T_INT: return Value(attr_->v.i);
    case TALLY_T_DOUBLE: return Value(attr_->v.d);
    case TALLY_T_STRING: return Value(*text());
    case TALLY_T_BYTES: return Value(*bytes());
    case TALLY_T_LIST: {
      Value::List values;
      const Attributes items = *list();
      for (uint32_t i = 0; i < items.size(); i++)
        if (auto item = items[i].value()) values.push_back(std::move(*item));
      return Value(std::move(values));
    }
    default: return std::nullopt;
  }
}

/* What the player did. It is lent until the call returns. */
class Event {
 public:
  explicit Event(const tally_event *event) : event_(event) {}

  /* The structure of the headers. */
  const tally_event &raw() const { return *event_; }
  /* TALLY_EVENT_TYPE_.... Ignore those that you do not know. */
  uint32_t type() const { return event_->type; }
  /* The name, such as "pause", also of a type that has no number. */
  std::string_view name() const { return view(tally_event_name(event_)); }
  /* When it happened, which is now: us since the run's start. */
  int64_t time_us() const { return event_->time_us; }
  /* Which one it is: counts the player's events of the run from 1. */
  uint64_t ordinal() const { return event_->ordinal; }
  /* Counts the sessions of the run from 1; 0 outside a session. */
  uint32_t session() const { return event_->session; }
  /* Bits TALLY_EVENT_.... */
  uint32_t flags() const { return event_->flags; }
  /* The player as it is known behind the event: a copy. */
  tally_state state() const { return tally_event_state(event_); }
  /* The attributes in the player's order. */
  Attributes attributes() const { return Attributes(event_, event_->attr_off, event_->attr_count); }

 private:
  const tally_event *event_;
};

/* A record as it is read. It is lent until the call returns. */
class Record {
 public:
  explicit Record(const tally_record *record) : record_(record) {}

  /* The structure of the headers. */
  const tally_record &raw() const { return *record_; }
  /* The kind, such as "summary". */
  std::string_view kind() const { return view(tally_block_text(record_, record_->kind_off, record_->kind_len)); }
  /* The attributes in their order. */
  Attributes attributes() const { return Attributes(record_, record_->attr_off, record_->attr_count); }

 private:
  const tally_record *record_;
};

/* A beacon as a reporter reads it. What it answers is lent until the call returns. */
class Beacon {
 public:
  explicit Beacon(const tally_beacon *beacon) { tally_copy(&beacon_, sizeof beacon_, beacon); }

  /* The structure of the headers: a copy, with patches, headers and ordinals of records. */
  const tally_beacon &raw() const { return beacon_; }
  /* The lasting key for order, back-off and credentials. */
  std::string_view destination() const { return view(beacon_.destination); }
  /* The method of HTTP. */
  std::string_view method() const { return view(beacon_.method); }
  /* The address, with zeros where patches lie. */
  std::string_view url() const { return view(beacon_.url); }
  /* The body, any bytes, with zeros where patches lie. */
  std::string_view body() const { return view(beacon_.body); }
  /* The name of the secret that the reporter adds; empty: none. */
  std::string_view credential() const { return view(beacon_.credential); }
  /* Bits TALLY_BEACON_.... */
  uint32_t flags() const { return beacon_.flags; }
  /* How old it may become, s; 0: as the reporter has it. */
  int64_t max_age_s() const { return beacon_.max_age_s; }
  /* Headers in their order, each a name and a value. */
  std::vector<std::pair<std::string_view, std::string_view>> headers() const {
    std::vector<std::pair<std::string_view, std::string_view>> all;
    for (uint64_t i = 0; i < beacon_.header_count; i++)
      all.emplace_back(view(beacon_.headers[i].name), view(beacon_.headers[i].value));
    return all;
  }
  /* What is written over each time that it is sent. */
  std::vector<tally_patch> patches() const {
    return beacon_.patch_count ? std::vector<tally_patch>(beacon_.patches, beacon_.patches + beacon_.patch_count)
                               : std::vector<tally_patch>();
  }
  /* Ordinals of the records that it carries. */
  std::vector<uint64_t> records() const {
    return beacon_.record_count ? std::vector<uint64_t>(beacon_.records, beacon_.records + beacon_.record_count)
                                : std::vector<uint64_t>();
  }

 private:
  tally_beacon beacon_;
};

/* What a tracker knows of the player run that it belongs to: a copy. */
struct Run {
  std::string id;         /* of the player run */
  std::string instance;   /* the configured name of this instance */
  int64_t epoch_us = 0;   /* wall clock at time 0, us since 1970: adding a time of the run gives that of then */
  uint32_t semantics = 0; /* version of the rules of time, timers and state */
  /* Persistent values as they were when the run began. */
  std::vector<std::pair<std::string, std::string>> values;

  /* The persistent value with this key. */
  std::optional<std::string_view> stored(std::string_view key) const {
    for (const auto &value : values)
      if (value.first == key) return value.second;
    return std::nullopt;
  }
};

/* ---- instances ------------------------------------------------------------------------------------------------ */

/* What trackers and reporters have in common. The host is there from `configure` on. */
class Instance {
 public:
  Instance() = default;
  Instance(const Instance &) = delete; /* the host knows where it lies */
  Instance &operator=(const Instance &) = delete;
  virtual ~Instance() = default;

  /* Once, before anything else. `config` is JSON text that fits About.config_schema. Throw an Error with
   * TALLY_ERR_CONFIG for one that makes no sense. */
  virtual void configure(std::string_view config) { (void)config; }
  /* Is put to work. A tracker may emit from here on; a reporter opens files and starts threads. */
  virtual void enable() {}
  /* Is put aside. A tracker may not emit, and its timers are gone; a reporter joins its threads. */
  virtual void disable() {}

  /* Writes a line to the host's log, at a level TALLY_LOG_.... Any thread may call it until the instance is gone. */
  void log(int32_t level, std::string_view line) const {
    if (host_.log) host_.log(raw_host_, level, lend(line));
  }

 protected:
  /* The host as its functions take it. */
  const tally_host *host() const { return raw_host_; }

  /* An extension of the host that this file does not know; all functions are NULL where it is not offered. */
  template <typename Table>
  Table extension(const char *id) const {
    static_assert(std::is_trivially_copyable_v<Table>, "a table of the headers is a structure of C");
    Table table;
    tally_copy(&table, sizeof table, host_.get_extension ? host_.get_extension(raw_host_, id) : nullptr);
    return table;
  }

 private:
  template <typename>
  friend class Made;
  virtual void attach() = 0;                         /* fetches what it needs of the host */
  virtual void begin(const tally_run_info *run) = 0; /* what `create` is told of the run; nullptr for a reporter */
  virtual void configured() {}                       /* behind a configuration that was taken */

  tally_plugin plugin_ = {};
  const tally_host *raw_host_ = nullptr;
  tally_host host_ = {};
};

/* A plugin that takes a new configuration in mid-run: a second base of it ("tally.configure/1"). */
class Reconfigurable {
 public:
  /* Takes over a new configuration, whole; throwing refuses it, so read all of it before you change anything. `now_us`
   * is the time, us since the run's start, and `now` the player then; zeros for a reporter. */
  virtual void reconfigure(std::string_view config, int64_t now_us, const tally_state &now) = 0;

 protected:
  ~Reconfigurable() = default;
};

/* A plugin with commands of its own: a second base of it ("tally.command/1"). Which there are is constant JSON text, an
 * array of objects with `name`, `summary` and `changes`: `static constexpr const char *commands = "[...]";` */
class CommandHandling {
 public:
  /* Runs a command with JSON arguments, and answers with JSON text. Throw an Error with TALLY_ERR_NOT_FOUND for a name
   * that is not listed. One with `"changes":false` must change nothing and emit nothing: a replay does not know of it.
   * `now_us` and `now` are as in Reconfigurable. */
  virtual std::string command(
      std::string_view name, std::string_view arguments, int64_t now_us, const tally_state &now) = 0;

 protected:
  ~CommandHandling() = default;
};

class Tracker;

/* A record that is being built; it becomes one with `emit`. A name is in it once, and the host refuses what is beyond
 * the limits. */
class RecordBuilder {
 public:
  /* Adds a value. A whole number of 2^53 and more in magnitude becomes a double, as records have it. */
  RecordBuilder &set(std::string_view key, int64_t value) {
    if (value <= -whole_below || value >= whole_below) return set(key, static_cast<double>(value));
    add(attrs_, key, TALLY_T_INT).v.i = value;
    return *this;
  }
  RecordBuilder &set(std::string_view key, int value) { return set(key, int64_t{value}); }
  RecordBuilder &set(std::string_view key, bool value) {
    add(attrs_, key, TALLY_T_BOOL).v.i = value;
    return *this;
  }
  /* A whole number below 2^53 in magnitude becomes an integer, as records have it. */
  RecordBuilder &set(std::string_view key, double value) {
    add_number(attrs_, key, value);
    return *this;
  }
  /* Texts, bytes and lists are copied. */
  RecordBuilder &set(std::string_view key, std::string_view value) {
    add_text(attrs_, key, TALLY_T_STRING, value.data(), value.size());
    return *this;
  }
  RecordBuilder &set(std::string_view key, const char *value) { return set(key, std::string_view(value)); }
  RecordBuilder &set(std::string_view key, const std::string &value) { return set(key, std::string_view(value)); }
  RecordBuilder &set(std::string_view key, const Bytes &value) {
    const void *bytes = value.data();
    add_text(attrs_, key, TALLY_T_BYTES, static_cast<const char *>(bytes), value.size());
    return *this;
  }
  /* Said to be nothing. */
  RecordBuilder &set(std::string_view key, std::nullptr_t) {
    add(attrs_, key, TALLY_T_NULL);
    return *this;
  }
  RecordBuilder &set(std::string_view key, const Value::List &values) {
    const tally_attr list = add_list(key, values);
    attrs_.push_back(list);
    return *this;
  }
  RecordBuilder &set(std::string_view key, std::initializer_list<Value> values) {
    return set(key, Value::List(values));
  }
  RecordBuilder &set(std::string_view key, const Value &value) {
    return std::visit([&](const auto &held) -> RecordBuilder & { return set(key, held); }, value.held);
  }
  /* Says of what was set last that it may tell who the viewer is. */
  RecordBuilder &personal() {
    if (!attrs_.empty()) attrs_.back().flags |= TALLY_ATTR_PERSONAL;
    return *this;
  }

  /* Hands the record to the host, and answers its ordinal: from 1, per run and instance. */
  inline uint64_t emit();

 private:
  friend class Tracker;
  static constexpr int64_t whole_below = int64_t{1} << 53;

  RecordBuilder &begin(std::string_view kind) {
    attrs_.clear();
    items_.clear();
    texts_ = kind;
    kind_length_ = kind.size();
    return *this;
  }
  tally_attr named(std::string_view key, uint32_t type) {
    tally_attr attr = {};
    attr.key_off = static_cast<uint32_t>(texts_.size());
    /* A name that is too long stays so, and is refused. */
    attr.key_len = static_cast<uint16_t>(key.size() < UINT16_MAX ? key.size() : UINT16_MAX);
    attr.type = static_cast<uint8_t>(type);
    texts_ += key;
    return attr;
  }
  tally_attr &add(std::vector<tally_attr> &into, std::string_view key, uint32_t type) {
    into.push_back(named(key, type));
    return into.back();
  }
  void add_number(std::vector<tally_attr> &into, std::string_view key, double value) {
    const bool is_whole = std::abs(value) < static_cast<double>(whole_below) && std::trunc(value) == value;
    tally_attr &attr = add(into, key, is_whole ? TALLY_T_INT : TALLY_T_DOUBLE);
    if (is_whole) attr.v.i = static_cast<int64_t>(value);
    else attr.v.d = value;
  }
  void add_text(std::vector<tally_attr> &into, std::string_view key, uint32_t type, const char *bytes, size_t length) {
    tally_attr &attr = add(into, key, type);
    attr.len = static_cast<uint32_t>(length);
    attr.v.off = texts_.size();
    if (length > 0) texts_.append(bytes, length);
  }
  /* The values lie one behind the other; until the record is handed over, their offset is their index. */
  tally_attr add_list(std::string_view key, const Value::List &values) {
    const size_t first = items_.size();
    items_.resize(first + values.size());
    std::vector<tally_attr> one;
    for (size_t i = 0; i < values.size(); i++) {
      one.clear();
      std::visit([&](const auto &held) { add_item(one, held); }, values[i].held);
      items_[first + i] = one.front();
    }
    tally_attr attr = named(key, TALLY_T_LIST);
    attr.len = static_cast<uint32_t>(values.size());
    attr.v.off = first;
    return attr;
  }
  void add_item(std::vector<tally_attr> &into, std::nullptr_t) { add(into, {}, TALLY_T_NULL); }
  void add_item(std::vector<tally_attr> &into, bool value) { add(into, {}, TALLY_T_BOOL).v.i = value; }
  void add_item(std::vector<tally_attr> &into, int64_t value) {
    if (value <= -whole_below || value >= whole_below) return add_number(into, {}, static_cast<double>(value));
    add(into, {}, TALLY_T_INT).v.i = value;
  }
  void add_item(std::vector<tally_attr> &into, double value) { add_number(into, {}, value); }
  void add_item(std::vector<tally_attr> &into, const std::string &value) {
    add_text(into, {}, TALLY_T_STRING, value.data(), value.size());
  }
  void add_item(std::vector<tally_attr> &into, const Bytes &value) {
    const void *bytes = value.data();
    add_text(into, {}, TALLY_T_BYTES, static_cast<const char *>(bytes), value.size());
  }
  void add_item(std::vector<tally_attr> &into, const Value::List &values) { into.push_back(add_list({}, values)); }

  Tracker *tracker_ = nullptr;
  std::vector<tally_attr> attrs_, items_; /* of the record, and of its lists */
  std::string texts_;                     /* the kind first */
  std::vector<uint64_t> block_;
  size_t kind_length_ = 0;
};

/* A beacon that is being built; it is sent with `emit`: the request that carries records to a vendor, at most 1 MiB.
 * Secrets never go into it: name the one that the reporter adds. */
class BeaconBuilder {
 public:
  /* Appends to the address. */
  BeaconBuilder &url(std::string_view text) { return url_ += text, *this; }
  /* Appends to the body, any bytes. */
  BeaconBuilder &body(std::string_view bytes) { return body_ += bytes, *this; }
  /* Adds a header; headers keep their order, and a name may be there twice. */
  BeaconBuilder &header(std::string_view name, std::string_view value) {
    headers_.emplace_back(name, value);
    return *this;
  }
  /* Appends zeros to the address that the reporter writes over each time it sends, by TALLY_PATCH_.... */
  BeaconBuilder &url_patch(uint32_t kind, size_t digits) { return patch(TALLY_PART_URL, url_, kind, digits); }
  /* The same in the body. */
  BeaconBuilder &body_patch(uint32_t kind, size_t digits) { return patch(TALLY_PART_BODY, body_, kind, digits); }
  /* Names the secret that the reporter adds. */
  BeaconBuilder &credential(std::string_view name) { return credential_ = name, *this; }
  /* Says that it carries a record, by the ordinal that RecordBuilder::emit answered. */
  BeaconBuilder &carries(uint64_t ordinal) { return records_.push_back(ordinal), *this; }
  /* Says how it wants to be treated: bits TALLY_BEACON_.... */
  BeaconBuilder &flags(uint32_t flags) { return flags_ = flags, *this; }
  /* Says how old it may become, s; 0: as the reporter has it. */
  BeaconBuilder &max_age_s(int64_t seconds) { return max_age_s_ = seconds, *this; }

  /* Hands the beacon to the host. */
  inline void emit();

 private:
  friend class Tracker;

  BeaconBuilder &begin(std::string_view destination, std::string_view method, std::string_view url) {
    Tracker *const tracker = tracker_;
    *this = BeaconBuilder();
    tracker_ = tracker;
    destination_ = destination;
    method_ = method;
    url_ = url;
    return *this;
  }
  BeaconBuilder &patch(uint32_t part, std::string &text, uint32_t kind, size_t digits) {
    tally_patch patch = {};
    patch.part = part;
    patch.kind = kind;
    patch.off = text.size();
    patch.width = digits;
    patches_.push_back(patch);
    text.append(digits, '0');
    return *this;
  }

  Tracker *tracker_ = nullptr;
  std::string destination_, method_, url_, body_, credential_;
  std::vector<std::pair<std::string, std::string>> headers_;
  std::vector<tally_patch> patches_;
  std::vector<uint64_t> records_;
  uint32_t flags_ = 0;
  int64_t max_age_s_ = 0;
};

/* A function of its own state and the next event or timer: it reads no clock, no file and no random source. There is an
 * instance for each player run. An exception of `session_begin` and `on_event` is counted, and 20 in a row disable the
 * instance; of `on_timer`, `session_end` and `disable` it becomes a line of the log. */
class Tracker : public Instance {
 public:
  Tracker() { builder_.tracker_ = beacon_.tracker_ = this; }

  /* A session begins, or goes on when the tracker joins it: the snapshot then says what is known so far. */
  virtual void session_begin(Event snapshot) { (void)snapshot; }
  /* The player did something; an event of an unknown type is to be ignored. */
  virtual void on_event(Event event) = 0;
  /* A timer fires; `deadline_us` is now, us since the run's start, and `now` the player at that instant. */
  virtual void on_timer(uint64_t timer, int64_t deadline_us, const tally_state &now) {
    (void)timer, (void)deadline_us, (void)now;
  }
  /* A session ends, for a reason TALLY_END_...: the last chance to say something of it. */
  virtual void session_end(uint32_t reason, int64_t now_us, const tally_state &now) {
    (void)reason, (void)now_us, (void)now;
  }

 protected:
  /* The run and the instance, and the values that are kept. There from `configure` on. */
  const Run &run() const { return run_; }

  /* Begins a record of this kind. There is one at a time, in memory that is used again. */
  RecordBuilder &record(std::string_view kind) { return builder_.begin(kind); }

  /* Begins a beacon to a destination, a lasting key for order, back-off and credentials. There is one at a time. */
  BeaconBuilder &beacon(std::string_view destination, std::string_view method, std::string_view url) {
    return beacon_.begin(destination, method, url);
  }

  /* Tells the player's delegate of an error of this tracker; it also becomes a record "tracker_error". */
  void player_error(std::string_view code, std::string_view message, std::string_view details) {
    check(emit_.player_error ? emit_.player_error(host(), lend(code), lend(message), lend(details))
                             : TALLY_ERR_UNSUPPORTED,
          "the host refused an error");
  }

  /* Starts a timer that fires once, at `deadline_us` since the run's start, and answers its number. `scope` is one of
   * TALLY_TIMER_.... For a period start the next one at the old deadline plus the period. */
  uint64_t start_timer(int64_t deadline_us, uint32_t scope = TALLY_TIMER_SESSION) {
    uint64_t id = 0;
    check(timer_.start ? timer_.start(host(), deadline_us, scope, &id) : TALLY_ERR_UNSUPPORTED,
          "the host starts no timer");
    return id;
  }
  /* Cancels a timer; one that has fired or was cancelled before is left alone. */
  void cancel_timer(uint64_t id) {
    if (timer_.cancel) timer_.cancel(host(), id);
  }

  /* The next number of the only random source: a replay draws the same numbers. */
  uint64_t random() { return random_.next_u64 ? random_.next_u64(host()) : 0; }

  /* Keeps a value for the next run. About.store_keys has to list the key. */
  void store(std::string_view key, std::string_view value) {
    check(store_.put ? store_.put(host(), lend(key), lend(value)) : TALLY_ERR_UNSUPPORTED,
          "the host refused to keep a value");
  }

 private:
  friend class RecordBuilder;
  friend class BeaconBuilder;

  static void check(tally_status status, const char *why) {
    if (status < 0) throw Error(why, status);
  }
  void attach() override {
    emit_ = extension<tally_emit>(TALLY_EXT_EMIT);
    timer_ = extension<tally_timer>(TALLY_EXT_TIMER);
    random_ = extension<tally_random>(TALLY_EXT_RANDOM);
    store_ = extension<tally_store>(TALLY_EXT_STORE);
    if (!emit_.record) throw Error("the host takes no records", TALLY_ERR_UNSUPPORTED);
  }
  void begin(const tally_run_info *lent) override {
    tally_run_info info;
    tally_copy(&info, sizeof info, lent);
    run_.id = view(info.player_run_id);
    run_.instance = view(info.instance);
    run_.epoch_us = info.epoch_us;
    run_.semantics = info.semantics;
    if (!info.stored) return;
    const Attributes stored = Record(info.stored).attributes();
    for (uint32_t i = 0; i < stored.size(); i++)
      if (const auto text = stored[i].text()) run_.values.emplace_back(stored[i].key(), *text);
  }

  Run run_;
  RecordBuilder builder_;
  BeaconBuilder beacon_;
  tally_emit emit_ = {};
  tally_timer timer_ = {};
  tally_random random_ = {};
  tally_store store_ = {};
};

inline uint64_t RecordBuilder::emit() {
  const size_t lists = sizeof(tally_record) + attrs_.size() * sizeof(tally_attr);
  const size_t texts = lists + items_.size() * sizeof(tally_attr);
  const size_t words = (texts + texts_.size() + 7) / 8;
  if (words >= UINT32_MAX / 8) throw Error("a record is too large", TALLY_ERR_TOO_LARGE);
  block_.assign(words, 0);
  tally_record record = {};
  record.size = static_cast<uint32_t>(words * 8);
  record.header_size = record.attr_off = sizeof record;
  record.attr_count = static_cast<uint32_t>(attrs_.size());
  record.kind_off = static_cast<uint32_t>(texts);
  record.kind_len = static_cast<uint32_t>(kind_length_);
  for (auto *part : {&attrs_, &items_})
    for (tally_attr &attr : *part) {
      attr.key_off += record.kind_off;
      if (attr.type == TALLY_T_STRING || attr.type == TALLY_T_BYTES) attr.v.off += texts;
      if (attr.type == TALLY_T_LIST) attr.v.off = lists + attr.v.off * sizeof(tally_attr);
    }
  void *block = block_.data();
  char *bytes = static_cast<char *>(block);
  memcpy(bytes, &record, sizeof record);
  if (!attrs_.empty()) memcpy(bytes + sizeof record, attrs_.data(), attrs_.size() * sizeof(tally_attr));
  if (!items_.empty()) memcpy(bytes + lists, items_.data(), items_.size() * sizeof(tally_attr));
  memcpy(bytes + texts, texts_.data(), texts_.size());
  uint64_t ordinal = 0;
  const tally_record *made = static_cast<const tally_record *>(block);
  Tracker::check(tracker_->emit_.record(tracker_->host(), made, &ordinal), "the host refused a record");
  return ordinal;
}

inline void BeaconBuilder::emit() {
  std::vector<tally_header> headers;
  for (const auto &[name, value] : headers_) {
    tally_header header;
    header.name = lend(name);
    header.value = lend(value);
    headers.push_back(header);
  }
  tally_beacon made = {};
  made.struct_size = sizeof made;
  made.flags = flags_;
  made.destination = lend(destination_);
  made.method = lend(method_);
  made.url = lend(url_);
  made.body = lend(body_);
  made.headers = headers.data();
  made.header_count = headers.size();
  made.credential = lend(credential_);
  made.patches = patches_.data();
  made.patch_count = patches_.size();
  made.records = records_.data();
  made.record_count = records_.size();
  made.max_age_s = max_age_s_;
  const tally_emit &host = tracker_->emit_;
  Tracker::check(host.beacon ? host.beacon(tracker_->host(), &made) : TALLY_ERR_UNSUPPORTED,
                 "the host refused a beacon");
}

/* One output, as a reporter is handed it. It is lent until the call returns. */
class Output {
 public:
  explicit Output(const tally_output *output) : output_(output) {
    tally_copy(&origin_, sizeof origin_, output->origin);
  }

  /* TALLY_OUTPUT_.... Take one that you do not know, and leave it alone. */
  uint32_t what() const { return output_->what; }
  /* Where it comes from. */
  const tally_origin &origin() const { return origin_; }
  /* The id of the player run. */
  std::string_view run() const { return view(origin_.player_run_id); }
  /* The configured name of the tracker; empty for what the core itself says, as the two that follow. */
  std::string_view instance() const { return view(origin_.instance); }
  std::string_view plugin_id() const { return view(origin_.plugin_id); }
  std::string_view plugin_version() const { return view(origin_.plugin_version); }
  /* The id of the session's video, as far as the player has said it. */
  std::string_view video_id() const { return view(origin_.video_id); }

  /* The item, where `what` says that it is one of this kind: asked for another, it throws. */
  Record record() const { return Record(static_cast<const tally_record *>(item({TALLY_OUTPUT_RECORD}))); }
  Event event() const {
    return Event(static_cast<const tally_event *>(item({TALLY_OUTPUT_EVENT, TALLY_OUTPUT_SESSION_BEGIN})));
  }
  Beacon beacon() const { return Beacon(static_cast<const tally_beacon *>(item({TALLY_OUTPUT_BEACON}))); }
  /* How many outputs before this one a full queue cost. */
  uint64_t gap() const { return *static_cast<const uint64_t *>(item({TALLY_OUTPUT_GAP})); }
  /* A line of the run's archive, with its break. */
  std::string_view line() const { return view(*static_cast<const tally_str *>(item({TALLY_OUTPUT_LINE}))); }

 private:
  const void *item(std::initializer_list<uint32_t> kinds) const {
    for (const uint32_t kind : kinds)
      if (kind == output_->what && output_->item) return output_->item;
    throw Error("an output of another kind");
  }

  const tally_output *output_;
  tally_origin origin_;
};

/* What a flush is about. */
struct FlushRequest {
  uint64_t token;       /* what it is answered with */
  std::string_view run; /* the id of the player run */
  uint32_t session;     /* 0: the whole run */
  int64_t budget_ms;    /* how long it may take */
  uint64_t taken;       /* how many outputs were taken since the flush before */
};

/* What became of the outputs that a flush was about. */
struct Flushed {
  uint64_t delivered = 0, kept = 0, dropped = 0;
};

/* The only place for files and connections. All calls come on one thread, and may wait. An exception of `take` says
 * that the output is lost, one of `flush` that all is lost that was taken since the flush before. */
class Reporter : public Instance {
 public:
  /* Bits 1 << TALLY_OUTPUT_... of what it is handed; 0: everything but recovered outputs and archive lines. Asked
   * behind `configure` and `reconfigure`. */
  virtual uint32_t wants() const { return 0; }
  /* Takes an output. False: full for now; the host offers it again within 100 ms, or behind `ready`. */
  virtual bool take(Output output) = 0;
  /* Brings away what it has taken. */
  virtual void flush() {}
  /* Answers a flush in detail; std::nullopt: later, by `flushed`. Without it `flush` counts all as delivered. */
  virtual std::optional<Flushed> answer_flush(const FlushRequest &request) {
    flush();
    Flushed all;
    all.delivered = request.taken;
    return all;
  }
  /* Brings away what is left: override it to join threads too. */
  void disable() override { flush(); }

 protected:
  /* Says that there is room again behind a `take` that answered false; while `disable` runs, that it still works. Any
   * thread may call it from `enable` to the return of `disable`, as the next one. */
  void ready() const {
    if (answers_.ready) answers_.ready(host());
  }
  /* Answers a flush whose `answer_flush` gave nothing, once, by its token. */
  void flushed(uint64_t token, Flushed what) const {
    if (answers_.flushed) answers_.flushed(host(), token, what.delivered, what.kept, what.dropped);
  }
  /* What the host says of itself: bits TALLY_HOST_.... */
  uint32_t host_flags() const { return answers_.flags; }
  /* What the plugins of the host are and did, JSON text; nothing where the host does not say. Any thread may call it
   * from `enable` to the return of `disable`. */
  std::optional<std::string> status() const {
    if (!status_.write) return std::nullopt;
    std::string text;
    tally_sink sink = {};
    sink.ctx = &text;
    sink.write = [](const tally_sink *into, const void *bytes, size_t length) noexcept -> tally_status {
      try {
        static_cast<std::string *>(into->ctx)->append(static_cast<const char *>(bytes), length);
        return TALLY_OK;
      } catch (...) {
        return TALLY_ERR_INTERNAL;
      }
    };
    if (status_.write(host(), &sink) < 0) return std::nullopt;
    return text;
  }

 private:
  template <typename>
  friend class Made;
  void attach() override {
    answers_ = extension<tally_host_reporter>(TALLY_EXT_HOST_REPORTER);
    status_ = extension<tally_host_status>(TALLY_EXT_STATUS);
  }
  void begin(const tally_run_info *) override {}
  void configured() override { table_.wants = wants(); }

  tally_host_reporter answers_ = {};
  tally_host_status status_ = {};
  tally_reporter table_ = {}; /* its own, as what it wants is its own */
  uint64_t taken_ = 0;
};

/* ---- the C interface ------------------------------------------------------------------------------------------ */

/* The tables of one plugin. What follows is no interface: TALLY_PLUGIN uses it. */
template <typename Plugin>
class Made {
  static constexpr bool tracks = std::is_base_of_v<Tracker, Plugin>;
  static constexpr bool reconfigures = std::is_base_of_v<Reconfigurable, Plugin>;
  static constexpr bool commands = std::is_base_of_v<CommandHandling, Plugin>;
  static_assert(tracks != std::is_base_of_v<Reporter, Plugin>, "a plugin is a tally::Tracker or a tally::Reporter");

  static Plugin &part(const tally_plugin *self) noexcept { return *static_cast<Plugin *>(self->plugin_data); }

  /* Makes a call that may throw; `failed` is told the status and why. */
  template <typename Call, typename Failed>
  static tally_status tried(Call call, Failed failed) noexcept {
    try {
      call();
      return TALLY_OK;
    } catch (const Error &error) {
      return failed(error.status < 0 ? error.status : TALLY_ERR_INTERNAL, error.what());
    } catch (const std::exception &error) {
      return failed(TALLY_ERR_INTERNAL, error.what());
    } catch (...) {
      return failed(TALLY_ERR_INTERNAL, "an exception");
    }
  }

  /* Makes a call that returns a status; the host is told why it fails. */
  template <typename Call>
  static tally_status guard(const tally_plugin *self, Call call) noexcept {
    Plugin &plugin = part(self);
    const Instance &instance = plugin;
    return tried([&] { call(plugin); }, [&](tally_status status, const char *why) {
      if (instance.host_.set_error) instance.host_.set_error(instance.raw_host_, status, tally_text(why));
      return status;
    });
  }

  /* Makes a call that returns nothing; what fails in it is logged. */
  template <typename Call>
  static void logged(const tally_plugin *self, const char *name, Call call) noexcept {
    Plugin &plugin = part(self);
    tried([&] { call(plugin); }, [&](tally_status status, const char *why) {
      try {
        plugin.log(TALLY_LOG_ERROR, std::string(name) + ": " + why);
      } catch (...) {
        plugin.log(TALLY_LOG_ERROR, why);
      }
      return status;
    });
  }

  static tally_state copied(const tally_state *state) noexcept {
    tally_state now;
    tally_copy(&now, sizeof now, state);
    return now;
  }

  static tally_tracker tracker() noexcept {
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
        logged(self, "on_timer", [&](Tracker &tracker) { tracker.on_timer(timer, deadline, copied(now)); });
      };
      table.session_end = [](auto self, auto reason, auto now_us, auto now) {
        logged(self, "session_end", [&](Tracker &tracker) { tracker.session_end(reason, now_us, copied(now)); });
      };
    }
    return table;
  }

  static tally_reporter reporter() noexcept {
    tally_reporter table = {};
    table.struct_size = sizeof table;
    if constexpr (!tracks) {
      table.take = [](auto self, auto items, auto count) {
        uint64_t taken = 0;
        const tally_status status = guard(self, [&](Reporter &reporter) {
          while (taken < count && reporter.take(Output(items[taken]))) taken++;
        });
        Reporter &reporter = part(self);
        reporter.taken_ += taken;
        /* What was taken before an exception is not lost with the rest. */
        return status < 0 && taken == 0 ? int64_t{status} : static_cast<int64_t>(taken);
      };
      table.flush = [](auto self, auto token, auto run, auto session, auto budget_ms) {
        Reporter &reporter = part(self);
        const uint64_t taken = std::exchange(reporter.taken_, uint64_t{0});
        std::optional<Flushed> answer;
        const tally_status status = guard(self, [&](Reporter &asked) {
          answer = asked.answer_flush(FlushRequest{token, view(run), session, budget_ms, taken});
        });
        if (status < 0) answer = Flushed{0, 0, taken};
        if (answer) reporter.flushed(token, *answer);
      };
    }
    return table;
  }

  static tally_configure configure() noexcept {
    tally_configure table = {};
    table.struct_size = sizeof table;
    if constexpr (reconfigures)
      table.configure = [](auto self, auto config, auto now_us, auto now) {
        return guard(self, [&](Plugin &plugin) {
          static_cast<Reconfigurable &>(plugin).reconfigure(view(config), now_us, copied(now));
          static_cast<Instance &>(plugin).configured();
        });
      };
    return table;
  }

  static tally_command command() noexcept {
    tally_command table = {};
    table.struct_size = sizeof table;
    if constexpr (commands) {
      table.run = [](auto self, auto name, auto arguments, auto now_us, auto now, auto answer) {
        std::string text;
        const tally_status status = guard(self, [&](CommandHandling &plugin) {
          text = plugin.command(view(name), view(arguments), now_us, copied(now));
        });
        return status < 0 || !answer->write ? status : answer->write(answer, text.data(), text.size());
      };
      table.list = [](auto) { return tally_text(Plugin::commands); };
    }
    return table;
  }

  static const void *get_extension(const tally_plugin *self, const char *id) noexcept {
    static const tally_tracker as_tracker = tracker();
    static const tally_configure as_configure = configure();
    static const tally_command as_command = command();
    if (reconfigures && strcmp(id, TALLY_EXT_CONFIGURE) == 0) return &as_configure;
    if (commands && strcmp(id, TALLY_EXT_COMMAND) == 0) return &as_command;
    if constexpr (tracks) {
      return strcmp(id, TALLY_EXT_TRACKER) == 0 ? &as_tracker : nullptr;
    } else {
      const Reporter &instance = part(self);
      return strcmp(id, TALLY_EXT_REPORTER) == 0 ? &instance.table_ : nullptr;
    }
  }

 public:
  static const tally_plugin *create(const tally_host *host, const tally_run_info *run) noexcept try {
    auto plugin = std::make_unique<Plugin>();
    Instance &instance = *plugin;
    instance.raw_host_ = host;
    tally_copy(&instance.host_, sizeof instance.host_, host);
    instance.begin(run);
    if constexpr (!tracks) static_cast<Reporter &>(*plugin).table_ = reporter();
    tally_plugin &table = instance.plugin_;
    table.struct_size = sizeof table;
    table.init = [](auto self, auto config) {
      return guard(self, [&](Instance &made) {
        made.attach();
        made.configure(view(config));
        made.configured();
      });
    };
    table.enable = [](auto self) { return guard(self, [](Instance &made) { made.enable(); }); };
    table.disable = [](auto self) { logged(self, "disable", [](Instance &made) { made.disable(); }); };
    table.destroy = [](auto self) { delete static_cast<Plugin *>(self->plugin_data); };
    table.get_extension = get_extension;
    table.plugin_data = plugin.release();
    return &table;
  } catch (...) {
    return nullptr;
  }

  static const tally_descriptor *descriptor() noexcept {
    constexpr size_t most = 16;
    struct Needed {
      const char *list[most + 2] = {};
      Needed() noexcept {
        constexpr About from = Plugin::about;
        size_t count = 0;
        if (tracks) list[count++] = TALLY_EXT_EMIT;
        for (size_t i = 0; from.required && from.required[i] && i < most; i++) list[count++] = from.required[i];
      }
    };
    static const Needed needed;
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
      made.requires_extensions = needed.list;
      made.shared_config = from.shared_config;
      made.store_keys = from.store_keys;
      made.build = from.build;
      made.wanted_events = from.wanted_events;
      made.read_paths = from.read_paths;
      made.written_paths = from.written_paths;
      return made;
    }();
    return &about;
  }
};

/* The entry of a library with these plugins. */
template <typename... Plugins>
class Library {
  struct Offered {
    const tally_descriptor *(*descriptor)() noexcept;
    const tally_plugin *(*create)(const tally_host *, const tally_run_info *) noexcept;
  };
  static constexpr Offered offered[] = {{Made<Plugins>::descriptor, Made<Plugins>::create}...};

 public:
  static const tally_entry *entry() noexcept {
    static const tally_entry table = [] {
      tally_entry made = {};
      made.struct_size = sizeof made;
      made.abi_minor = TALLY_ABI_MINOR;
      made.count = sizeof...(Plugins);
      made.descriptor = [](const tally_entry *, uint32_t index) {
        return index < sizeof...(Plugins) ? offered[index].descriptor() : nullptr;
      };
      made.create = [](const tally_entry *, const tally_host *host, const char *id,
                       const tally_run_info *run) -> const tally_plugin * {
        for (const Offered &plugin : offered)
          if (strcmp(id, plugin.descriptor()->id) == 0) return plugin.create(host, run);
        return nullptr;
      };
      return made;
    }();
    return &table;
  }
};

}  // namespace tally

/* The entry of a library with these plugins, one or several, in one source file at the outermost level. */
#define TALLY_PLUGINS(...) \
  const tally_entry *tally_plugin_entry_v1(void) { return tally::Library<__VA_ARGS__>::entry(); }
#define TALLY_PLUGIN(PLUGIN) TALLY_PLUGINS(PLUGIN)

#endif
