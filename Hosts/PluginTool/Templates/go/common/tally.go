// Package main is a plugin: this file is the border between C and Go, and what is on the Go side is in plugin.go.
package main

/*
#cgo pkg-config: tally-plugin
#include <stdlib.h>
#include "tables.h"
*/
import "C"

import (
	"errors"
	"fmt"
	"math"
	"runtime/cgo"
	"unsafe"
)

// Event is what the player did. It is lent: what it answers is a copy.
type Event struct{ raw *C.tally_event }

// Type is one of C.TALLY_EVENT_TYPE_....
func (event Event) Type() uint32 { return uint32(event.raw._type) }

// Name is the type's name, also of one that has no number.
func (event Event) Name() string { return text(C.tally_event_name(event.raw)) }

// TimeUs is the time since the run's start, in microseconds.
func (event Event) TimeUs() int64 { return int64(event.raw.time_us) }

// State is the player as it is known behind the event.
func (event Event) State() C.tally_state { return C.tally_event_state(event.raw) }

// Text is the text of an attribute, and empty where there is none.
func (event Event) Text(key C.uint16_t) string {
	return text(C.tally_attr_text(unsafe.Pointer(event.raw), C.tally_event_find(event.raw, key)))
}

// Int is the whole number in an attribute, or otherwise where there is none.
func (event Event) Int(key C.uint16_t, otherwise int64) int64 {
	return int64(C.tally_attr_int(C.tally_event_find(event.raw, key), C.int64_t(otherwise)))
}

// Attributes has the values that are numbers, truth values or texts.
func (event Event) Attributes() map[string]any {
	return attributes(unsafe.Pointer(event.raw), event.raw.attr_off, event.raw.attr_count)
}

// Run is what a tracker knows of the player run that it belongs to.
type Run struct {
	ID, Instance string
	// EpochUs is the wall clock at time 0, in microseconds since 1970.
	EpochUs int64
	// Stored has the persistent values as they were when the run began.
	Stored map[string]string
}

// Output is what a reporter is handed.
type Output struct{ raw *C.tally_output }

// What is one of C.TALLY_OUTPUT_....
func (output Output) What() uint32     { return uint32(output.raw.what) }
func (output Output) TimeUs() int64    { return int64(output.raw.origin.time_us) }
func (output Output) Session() uint32  { return uint32(output.raw.origin.session) }
func (output Output) Run() string      { return text(output.raw.origin.player_run_id) }
func (output Output) Instance() string { return text(output.raw.origin.instance) }
func (output Output) Ordinal() uint64  { return uint64(output.raw.origin.ordinal) }

// Kind is the kind of a record.
func (output Output) Kind() string {
	record := (*C.tally_record)(output.raw.item)
	return text(C.tally_block_text(output.raw.item, C.uint64_t(record.kind_off), C.size_t(record.kind_len)))
}

// Attributes has the values of a record that are numbers, truth values or texts.
func (output Output) Attributes() map[string]any {
	record := (*C.tally_record)(output.raw.item)
	return attributes(output.raw.item, record.attr_off, record.attr_count)
}

func attributes(block unsafe.Pointer, offset, count C.uint32_t) map[string]any {
	values := make(map[string]any, int(count))
	first := (*C.tally_attr)(C.tally_block_at(block, C.uint64_t(offset)))
	for _, attr := range unsafe.Slice(first, int(count)) {
		key := text(C.tally_block_text(block, C.uint64_t(attr.key_off), C.size_t(attr.key_len)))
		switch attr._type {
		case C.TALLY_T_BOOL:
			values[key] = *(*int64)(unsafe.Pointer(&attr.v)) != 0
		case C.TALLY_T_INT:
			values[key] = *(*int64)(unsafe.Pointer(&attr.v))
		case C.TALLY_T_DOUBLE:
			values[key] = *(*float64)(unsafe.Pointer(&attr.v))
		case C.TALLY_T_STRING:
			values[key] = text(C.tally_attr_text(block, &attr))
		}
	}
	return values
}

// Failure is an error with one of C.TALLY_ERR_...; any other error is C.TALLY_ERR_INTERNAL.
type Failure struct {
	Status C.tally_status
	Why    string
}

func (failure Failure) Error() string { return failure.Why }

// Beacon is the request that carries records to a vendor. Secrets never go into it: name the one that the reporter adds.
type Beacon struct {
	// Destination is a lasting key for order, back-off and credentials.
	Destination, Method, URL string
	Body                     []byte
	// Headers are pairs of a name and a value, in their order.
	Headers    [][2]string
	Credential string
	// Patches say where the reporter writes the time or the attempt, over what URL and Body have there.
	Patches []C.tally_patch
	// Records are the ordinals of the records that it carries.
	Records []uint64
	// Flags are bits C.TALLY_BEACON_....
	Flags   C.uint32_t
	MaxAgeS int64
}

// Host is what the host offers. All but Log is for trackers, inside of a call.
type Host struct{ raw *C.struct_instance }

// Log writes a line to the host's log.
func (host Host) Log(level C.int32_t, line string) {
	var lent loan
	defer lent.end()
	C.host_log(host.raw, level, lent.text(line))
}

// StartTimer starts a timer that fires once, and answers its number. For a period start the next one in OnTimer, at the
// old deadline plus the period. The scope is one of C.TALLY_TIMER_....
func (host Host) StartTimer(deadlineUs int64, scope C.uint32_t) (uint64, error) {
	var id C.uint64_t
	status := C.host_start_timer(host.raw, C.int64_t(deadlineUs), scope, &id)
	return uint64(id), refused(status, "a timer")
}

// CancelTimer cancels a timer; one that has fired is left alone.
func (host Host) CancelTimer(id uint64) { C.host_cancel_timer(host.raw, C.uint64_t(id)) }

// Random is the next number of the only random source: a replay draws the same numbers.
func (host Host) Random() uint64 { return uint64(C.host_random(host.raw)) }

// Store keeps a value for the next run. PLUGIN_STORE_KEYS in about.h has to list the key.
func (host Host) Store(key, value string) error {
	var lent loan
	defer lent.end()
	return refused(C.host_store(host.raw, lent.text(key), lent.text(value)), "a stored value")
}

// PlayerError tells the player's delegate of an error of this tracker.
func (host Host) PlayerError(code, message, details string) error {
	var lent loan
	defer lent.end()
	status := C.host_player_error(host.raw, lent.text(code), lent.text(message), lent.text(details))
	return refused(status, "an error")
}

// Send hands over a beacon.
func (host Host) Send(beacon Beacon) error {
	var lent loan
	defer lent.end()
	made := (*C.tally_beacon)(lent.bytes(int(unsafe.Sizeof(C.tally_beacon{}))))
	*made = C.tally_beacon{
		struct_size: C.uint32_t(unsafe.Sizeof(*made)), flags: beacon.Flags,
		destination: lent.text(beacon.Destination), method: lent.text(beacon.Method), url: lent.text(beacon.URL),
		body: lent.text(string(beacon.Body)), credential: lent.text(beacon.Credential),
		header_count: C.uint64_t(len(beacon.Headers)), patch_count: C.uint64_t(len(beacon.Patches)),
		record_count: C.uint64_t(len(beacon.Records)), max_age_s: C.int64_t(beacon.MaxAgeS),
	}
	made.headers = (*C.tally_header)(lent.bytes(len(beacon.Headers) * int(unsafe.Sizeof(C.tally_header{}))))
	headers := unsafe.Slice((*C.tally_header)(unsafe.Pointer(made.headers)), len(beacon.Headers))
	for i, header := range beacon.Headers {
		headers[i] = C.tally_header{name: lent.text(header[0]), value: lent.text(header[1])}
	}
	made.patches = (*C.tally_patch)(lent.bytes(len(beacon.Patches) * int(unsafe.Sizeof(C.tally_patch{}))))
	copy(unsafe.Slice((*C.tally_patch)(unsafe.Pointer(made.patches)), len(beacon.Patches)), beacon.Patches)
	made.records = (*C.uint64_t)(lent.bytes(len(beacon.Records) * 8))
	copy(unsafe.Slice((*uint64)(unsafe.Pointer(made.records)), len(beacon.Records)), beacon.Records)
	return refused(C.host_send(host.raw, made), "a beacon")
}

// Emit makes a record of the kind and of pairs of a name and a value: nil, or a bool, int64, float64, string or []byte.
func (host Host) Emit(kind string, pairs ...any) error {
	_, err := host.EmitNumbered(kind, pairs...)
	return err
}

// EmitNumbered does the same, and answers the record's ordinal for Beacon.Records.
func (host Host) EmitNumbered(kind string, pairs ...any) (uint64, error) {
	attrs := make([]C.tally_attr, 0, len(pairs)/2)
	texts := []byte(kind)
	start := int(unsafe.Sizeof(C.tally_record{})) + len(pairs)/2*int(unsafe.Sizeof(C.tally_attr{}))
	for i := 0; i+1 < len(pairs); i += 2 {
		key, ok := pairs[i].(string)
		if !ok || len(key) > math.MaxUint8 {
			return 0, fmt.Errorf("%v is no name of an attribute", pairs[i])
		}
		attr := C.tally_attr{key_off: C.uint32_t(start + len(texts)), key_len: C.uint16_t(len(key))}
		texts = append(texts, key...)
		value := unsafe.Pointer(&attr.v)
		switch given := pairs[i+1].(type) {
		case nil:
			attr._type = C.TALLY_T_NULL
		case bool:
			attr._type = C.TALLY_T_BOOL
			if given {
				*(*int64)(value) = 1
			}
		case int64:
			attr._type = C.TALLY_T_INT
			*(*int64)(value) = given
		case float64:
			// A whole number is an integer, as records have it.
			if math.Trunc(given) == given && math.Abs(given) < 1<<53 {
				attr._type = C.TALLY_T_INT
				*(*int64)(value) = int64(given)
			} else {
				attr._type = C.TALLY_T_DOUBLE
				*(*float64)(value) = given
			}
		case string:
			attr._type = C.TALLY_T_STRING
			texts = appended(&attr, start, texts, []byte(given))
		case []byte:
			attr._type = C.TALLY_T_BYTES
			texts = appended(&attr, start, texts, given)
		default:
			return 0, fmt.Errorf("the value of %s is none that a record has", key)
		}
		attrs = append(attrs, attr)
	}
	block := make([]uint64, (start+len(texts)+7)/8)
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&block[0])), len(block)*8)
	*(*C.tally_record)(unsafe.Pointer(&block[0])) = C.tally_record{
		size: C.uint32_t(len(bytes)), header_size: C.uint32_t(unsafe.Sizeof(C.tally_record{})),
		kind_off: C.uint32_t(start), kind_len: C.uint32_t(len(kind)),
		attr_off: C.uint32_t(unsafe.Sizeof(C.tally_record{})), attr_count: C.uint32_t(len(attrs)),
	}
	for i, attr := range attrs {
		at := int(unsafe.Sizeof(C.tally_record{})) + i*int(unsafe.Sizeof(attr))
		*(*C.tally_attr)(unsafe.Pointer(&bytes[at])) = attr
	}
	copy(bytes[start:], texts)
	var ordinal C.uint64_t
	status := C.host_emit(host.raw, unsafe.Pointer(&block[0]), &ordinal)
	return uint64(ordinal), refused(status, "a record")
}

// appended puts bytes behind the texts of a record, and says in the attribute where they are.
func appended(attr *C.tally_attr, start int, texts, more []byte) []byte {
	attr.len = C.uint32_t(len(more))
	*(*uint64)(unsafe.Pointer(&attr.v)) = uint64(start + len(texts))
	return append(texts, more...)
}

func refused(status C.tally_status, what string) error {
	if status < 0 {
		return Failure{status, fmt.Sprintf("the host refused %s with status %d", what, int(status))}
	}
	return nil
}

// loan is memory of C that the host reads during one call.
type loan struct{ pieces []unsafe.Pointer }

func (lent *loan) bytes(count int) unsafe.Pointer {
	piece := C.calloc(C.size_t(count)+1, 1)
	lent.pieces = append(lent.pieces, piece)
	return piece
}

func (lent *loan) text(text string) C.tally_str {
	piece := lent.bytes(len(text))
	copy(unsafe.Slice((*byte)(piece), len(text)), text)
	return C.tally_str{ptr: (*C.char)(piece), len: C.size_t(len(text))}
}

func (lent *loan) end() {
	for _, piece := range lent.pieces {
		C.free(piece)
	}
}

func text(lent C.tally_str) string { return C.GoStringN(lent.ptr, C.int(lent.len)) }

// attempt makes a call on the Go side; neither an error nor a panic leaves it.
func attempt(handle C.uintptr_t, made func(plugin *Plugin) error) (host Host, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("the plugin panicked: %v", panicked)
		}
	}()
	plugin, ok := cgo.Handle(handle).Value().(*Plugin)
	if !ok {
		return host, errors.New("no plugin of this library")
	}
	host = plugin.host
	err = made(plugin)
	return host, err
}

// call makes a call that answers with a status; the host is told why it fails.
func call(handle C.uintptr_t, made func(plugin *Plugin) error) C.tally_status {
	host, err := attempt(handle, made)
	if err == nil {
		return C.TALLY_OK
	}
	status := C.tally_status(C.TALLY_ERR_INTERNAL)
	var failure Failure
	if errors.As(err, &failure) && failure.Status < 0 {
		status = failure.Status
	}
	if host.raw != nil {
		var lent loan
		defer lent.end()
		C.host_fail(host.raw, status, lent.text(err.Error()))
	}
	return status
}

// tell makes a call that answers nothing; what fails in it is logged.
func tell(handle C.uintptr_t, name string, made func(plugin *Plugin) error) {
	if host, err := attempt(handle, made); err != nil && host.raw != nil {
		host.Log(C.TALLY_LOG_ERROR, name+": "+err.Error())
	}
}

//export goCreate
func goCreate(instance *C.struct_instance, info *C.tally_run_info) (handle C.uintptr_t) {
	defer func() {
		if recover() != nil {
			handle = 0
		}
	}()
	plugin := &Plugin{host: Host{instance}}
	run := Run{text(info.player_run_id), text(info.instance), int64(info.epoch_us), map[string]string{}}
	if info.stored != nil {
		for key, value := range attributes(unsafe.Pointer(info.stored), info.stored.attr_off, info.stored.attr_count) {
			if text, ok := value.(string); ok {
				run.Stored[key] = text
			}
		}
	}
	plugin.RunBegins(run)
	return C.uintptr_t(cgo.NewHandle(plugin))
}

//export goDestroy
func goDestroy(handle C.uintptr_t) { cgo.Handle(handle).Delete() }

//export goConfigure
func goConfigure(handle C.uintptr_t, config C.tally_str) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.Configure(text(config)) })
}

//export goEnable
func goEnable(handle C.uintptr_t) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.Enable() })
}

//export goDisable
func goDisable(handle C.uintptr_t) {
	// The last chance to bring away what a reporter has taken.
	tell(handle, "disable", func(plugin *Plugin) error {
		if err := plugin.Flush(); err != nil {
			return err
		}
		return plugin.Disable()
	})
}

//export goReconfigure
func goReconfigure(handle C.uintptr_t, config C.tally_str, nowUs C.int64_t, now *C.tally_state) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.Reconfigure(text(config), int64(nowUs), *now) })
}

//export goCommand
func goCommand(
	handle C.uintptr_t, name, arguments C.tally_str, nowUs C.int64_t, now *C.tally_state, sink *C.tally_sink,
) C.tally_status {
	return call(handle, func(plugin *Plugin) error {
		answer, err := plugin.Command(text(name), text(arguments), int64(nowUs), *now)
		if err != nil {
			return err
		}
		var lent loan
		defer lent.end()
		return refused(C.host_answer(sink, lent.text(answer)), "an answer")
	})
}

//export goSessionBegin
func goSessionBegin(handle C.uintptr_t, snapshot *C.tally_event) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.SessionBegin(Event{snapshot}) })
}

//export goOnEvent
func goOnEvent(handle C.uintptr_t, event *C.tally_event) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.OnEvent(Event{event}) })
}

//export goOnTimer
func goOnTimer(handle C.uintptr_t, timer C.uint64_t, deadlineUs C.int64_t, now *C.tally_state) {
	tell(handle, "on_timer", func(plugin *Plugin) error {
		return plugin.OnTimer(uint64(timer), int64(deadlineUs), *now)
	})
}

//export goSessionEnd
func goSessionEnd(handle C.uintptr_t, reason C.uint32_t, nowUs C.int64_t, now *C.tally_state) {
	tell(handle, "session_end", func(plugin *Plugin) error {
		return plugin.SessionEnd(uint32(reason), int64(nowUs), *now)
	})
}

//export goTake
func goTake(handle C.uintptr_t, output *C.tally_output) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.Take(Output{output}) })
}

//export goFlush
func goFlush(handle C.uintptr_t) C.tally_status {
	return call(handle, func(plugin *Plugin) error { return plugin.Flush() })
}

// Unhandled has what a plugin does in the calls that it leaves out.
type Unhandled struct{}

// RunBegins tells a tracker of its run, before all else; the host is not there yet.
func (Unhandled) RunBegins(Run) {}

// Configure takes the configuration, once: JSON text that fits PLUGIN_SCHEMA.
func (Unhandled) Configure(string) error { return nil }

// Enable puts the plugin to work: a tracker may emit from here on.
func (Unhandled) Enable() error { return nil }

// Disable puts it aside: a tracker may not emit, and its timers are gone.
func (Unhandled) Disable() error { return nil }

// Reconfigure takes a new configuration in mid-run, where about.h has PLUGIN_RECONFIGURES; an error refuses it.
func (Unhandled) Reconfigure(string, int64, C.tally_state) error {
	return Failure{C.TALLY_ERR_UNSUPPORTED, "the configuration is taken at the start alone"}
}

// Command runs one of PLUGIN_COMMANDS with JSON arguments, and answers with JSON text.
func (Unhandled) Command(name, _ string, _ int64, _ C.tally_state) (string, error) {
	return "", Failure{C.TALLY_ERR_NOT_FOUND, "there is no command " + name}
}

// SessionBegin begins a session, or joins one that goes on: the snapshot then says what is known so far.
func (Unhandled) SessionBegin(Event) error { return nil }

// OnEvent is told what the player did.
func (Unhandled) OnEvent(Event) error { return nil }

// OnTimer is told that a timer fires; its deadline is now.
func (Unhandled) OnTimer(uint64, int64, C.tally_state) error { return nil }

// SessionEnd is the last chance to say something of a session; the reason is one of C.TALLY_END_....
func (Unhandled) SessionEnd(uint32, int64, C.tally_state) error { return nil }

// Take takes an output of a tracker or of the core.
func (Unhandled) Take(Output) error { return nil }

// Flush brings away what was taken.
func (Unhandled) Flush() error { return nil }

func main() {}
