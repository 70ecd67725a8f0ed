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
	"runtime/cgo"
	"unsafe"
)

// Event is what the player did. It is lent: what it answers is a copy.
type Event struct{ raw *C.tally_event }

// Type is one of C.TALLY_EVENT_TYPE_....
func (event Event) Type() uint32 { return uint32(event.raw._type) }

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
	values := make(map[string]any, int(record.attr_count))
	first := (*C.tally_attr)(C.tally_block_at(output.raw.item, C.uint64_t(record.attr_off)))
	for _, attr := range unsafe.Slice(first, int(record.attr_count)) {
		key := text(C.tally_block_text(output.raw.item, C.uint64_t(attr.key_off), C.size_t(attr.key_len)))
		switch attr._type {
		case C.TALLY_T_BOOL:
			values[key] = *(*int64)(unsafe.Pointer(&attr.v)) != 0
		case C.TALLY_T_INT:
			values[key] = *(*int64)(unsafe.Pointer(&attr.v))
		case C.TALLY_T_DOUBLE:
			values[key] = *(*float64)(unsafe.Pointer(&attr.v))
		case C.TALLY_T_STRING:
			values[key] = text(C.tally_attr_text(output.raw.item, &attr))
		}
	}
	return values
}

// Host is what the host offers.
type Host struct{ raw *C.struct_instance }

// Log writes a line to the host's log.
func (host Host) Log(level C.int32_t, line string) {
	lent := C.CString(line)
	defer C.free(unsafe.Pointer(lent))
	C.host_log(host.raw, level, lent, C.size_t(len(line)))
}

// Emit makes a record of the kind and of pairs of a name and an int64 or a string.
func (host Host) Emit(kind string, pairs ...any) error {
	attrs := make([]C.tally_attr, 0, len(pairs)/2)
	texts := []byte(kind)
	start := int(unsafe.Sizeof(C.tally_record{})) + len(pairs)/2*int(unsafe.Sizeof(C.tally_attr{}))
	for i := 0; i+1 < len(pairs); i += 2 {
		key := pairs[i].(string)
		attr := C.tally_attr{key_off: C.uint32_t(start + len(texts)), key_len: C.uint16_t(len(key))}
		texts = append(texts, key...)
		switch value := pairs[i+1].(type) {
		case int64:
			attr._type = C.TALLY_T_INT
			*(*int64)(unsafe.Pointer(&attr.v)) = value
		case string:
			attr._type = C.TALLY_T_STRING
			attr.len = C.uint32_t(len(value))
			*(*uint64)(unsafe.Pointer(&attr.v)) = uint64(start + len(texts))
			texts = append(texts, value...)
		default:
			return fmt.Errorf("the value of %s is neither an int64 nor a string", key)
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
	if status := C.host_emit(host.raw, unsafe.Pointer(&block[0])); status < 0 {
		return fmt.Errorf("the host refused a record with status %d", int(status))
	}
	return nil
}

func text(lent C.tally_str) string { return C.GoStringN(lent.ptr, C.int(lent.len)) }

// call makes a call on the Go side. The reason why it failed is text from malloc, which tables.c frees.
func call(handle C.uintptr_t, made func(plugin *Plugin) error) (why *C.char) {
	defer func() {
		if panicked := recover(); panicked != nil {
			why = C.CString(fmt.Sprint(panicked))
		}
	}()
	plugin, ok := cgo.Handle(handle).Value().(*Plugin)
	err := errors.New("no plugin of this library")
	if ok {
		err = made(plugin)
	}
	if err != nil {
		return C.CString(err.Error())
	}
	return nil
}

//export goCreate
func goCreate(instance *C.struct_instance) C.uintptr_t {
	return C.uintptr_t(cgo.NewHandle(&Plugin{host: Host{instance}}))
}

//export goDestroy
func goDestroy(handle C.uintptr_t) { cgo.Handle(handle).Delete() }

//export goConfigure
func goConfigure(handle C.uintptr_t, config *C.char, length C.size_t) *C.char {
	return call(handle, func(plugin *Plugin) error { return plugin.Configure(C.GoStringN(config, C.int(length))) })
}

//export goSessionBegin
func goSessionBegin(handle C.uintptr_t, snapshot *C.tally_event) *C.char {
	return call(handle, func(plugin *Plugin) error { return plugin.SessionBegin(Event{snapshot}) })
}

//export goOnEvent
func goOnEvent(handle C.uintptr_t, event *C.tally_event) *C.char {
	return call(handle, func(plugin *Plugin) error { return plugin.OnEvent(Event{event}) })
}

//export goSessionEnd
func goSessionEnd(handle C.uintptr_t, reason C.uint32_t, nowUs C.int64_t, now *C.tally_state) *C.char {
	return call(handle, func(plugin *Plugin) error { return plugin.SessionEnd(uint32(reason), int64(nowUs), *now) })
}

//export goTake
func goTake(handle C.uintptr_t, output *C.tally_output) *C.char {
	return call(handle, func(plugin *Plugin) error { return plugin.Take(Output{output}) })
}

//export goFlush
func goFlush(handle C.uintptr_t) *C.char {
	return call(handle, func(plugin *Plugin) error { return plugin.Flush() })
}

// Unhandled has the calls that a plugin of one kind does not get.
type Unhandled struct{}

func (Unhandled) Configure(string) error                         { return nil }
func (Unhandled) SessionBegin(Event) error                       { return nil }
func (Unhandled) OnEvent(Event) error                            { return nil }
func (Unhandled) SessionEnd(uint32, int64, C.tally_state) error { return nil }
func (Unhandled) Take(Output) error                              { return nil }
func (Unhandled) Flush() error                                   { return nil }

func main() {}
