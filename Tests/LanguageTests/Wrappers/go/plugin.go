package main

// #include "tables.h"
import "C"

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
)

// Plugin uses all that the border to C has for trackers. It does what everything.cpp and everything.rs do.
type Plugin struct {
	Unhandled
	host                  Host
	run                   string
	visits, periodUs      int64
	ticks                 int
	cancelled, late, last uint64
}

func (plugin *Plugin) RunBegins(run Run) {
	plugin.run = fmt.Sprintf("%s as %s at %d", run.ID, run.Instance, run.EpochUs)
	plugin.visits, _ = strconv.ParseInt(run.Stored["visits"], 10, 64)
}

func (plugin *Plugin) Configure(config string) error {
	read := struct {
		Period int64 `json:"period_ms"`
	}{1000}
	if err := json.Unmarshal([]byte(config), &read); err != nil {
		return Failure{C.TALLY_ERR_CONFIG, err.Error()}
	}
	if read.Period == 13 {
		return Failure{C.TALLY_ERR_CONFIG, "period_ms must not be 13"}
	}
	plugin.periodUs = read.Period * 1000
	return nil
}

func (plugin *Plugin) Enable() error {
	return plugin.host.Emit("enabled", "run", plugin.run, "visits", plugin.visits)
}

func (plugin *Plugin) Disable() error {
	plugin.host.Log(C.TALLY_LOG_INFO, "everything is disabled")
	return errors.New("disable fails, and nobody asks")
}

func (plugin *Plugin) Reconfigure(config string, nowUs int64, now C.tally_state) error {
	if err := plugin.Configure(config); err != nil {
		return err
	}
	return plugin.host.Emit("configured",
		"period_ms", plugin.periodUs/1000, "now_us", nowUs, "playhead_ms", int64(now.playhead_ms))
}

func (plugin *Plugin) Command(name, arguments string, nowUs int64, now C.tally_state) (string, error) {
	switch name {
	case "mark":
		return "{}", plugin.host.Emit("mark",
			"arguments", arguments, "now_us", nowUs, "playhead_ms", int64(now.playhead_ms))
	case "refused":
		status := func(err error) int64 {
			var failure Failure
			errors.As(err, &failure)
			return int64(failure.Status)
		}
		sent := Beacon{Destination: "org.example.api", Method: "POST", URL: "two\nlines"}
		return "{}", plugin.host.Emit("refused", "key", status(plugin.host.Store("nobody", "knows")),
			"kind", status(plugin.host.Emit("")), "beacon", status(plugin.host.Send(sent)))
	case "break":
		panic("the command breaks")
	}
	return plugin.Unhandled.Command(name, arguments, nowUs, now)
}

func (plugin *Plugin) SessionBegin(snapshot Event) (err error) {
	plugin.ticks = 0
	if _, err = plugin.host.StartTimer(snapshot.TimeUs()+plugin.periodUs, C.TALLY_TIMER_SESSION); err != nil {
		return err
	}
	if plugin.cancelled, err = plugin.host.StartTimer(snapshot.TimeUs()+1500, C.TALLY_TIMER_INSTANCE); err != nil {
		return err
	}
	plugin.host.CancelTimer(plugin.cancelled)
	plugin.host.CancelTimer(plugin.cancelled)
	// Behind the end of the session, in the run that is tried.
	plugin.late, err = plugin.host.StartTimer(snapshot.TimeUs()+8030000, C.TALLY_TIMER_INSTANCE)
	return err
}

func (plugin *Plugin) OnEvent(event Event) error {
	switch event.Type() {
	case C.TALLY_EVENT_TYPE_CUSTOM:
		return plugin.echo(event)
	case C.TALLY_EVENT_TYPE_PLAYER_ERROR:
		return plugin.host.PlayerError("E1", event.Text(C.TALLY_KEY_ERROR_MESSAGE), event.Name())
	case C.TALLY_EVENT_TYPE_APPLICATION_ERROR:
		panic(fmt.Sprint("the tracker breaks at ", event.TimeUs()))
	}
	return plugin.host.Emit("unknown", "name", event.Name())
}

func (plugin *Plugin) OnTimer(timer uint64, deadlineUs int64, now C.tally_state) error {
	if timer == plugin.late {
		return plugin.host.Emit("late", "deadline_us", deadlineUs)
	}
	plugin.ticks++
	err := plugin.host.Emit("tick", "deadline_us", deadlineUs, "playhead_ms", int64(now.playhead_ms),
		"cancelled", timer == plugin.cancelled, "random", int64(plugin.host.Random()%1000))
	if err != nil {
		return err
	}
	if plugin.ticks == 3 {
		return errors.New("three ticks are enough")
	}
	_, err = plugin.host.StartTimer(deadlineUs+plugin.periodUs, C.TALLY_TIMER_SESSION)
	return err
}

func (plugin *Plugin) SessionEnd(reason uint32, _ int64, _ C.tally_state) error {
	plugin.visits++
	if err := plugin.host.Store("visits", strconv.FormatInt(plugin.visits, 10)); err != nil {
		return err
	}
	return plugin.host.Send(Beacon{
		Destination: "org.example.api", Method: "POST", URL: "https://example.org/?t=0000000000000",
		Body:       []byte(fmt.Sprintf("attempt 000 of %d", reason)),
		Headers:    [][2]string{{"Content-Type", "text/plain"}, {"X-Twice", "1"}, {"X-Twice", "2"}},
		Credential: "secret",
		Patches: []C.tally_patch{
			{part: C.TALLY_PART_URL, kind: C.TALLY_PATCH_SEND_EPOCH_MS, off: 23, width: 13},
			{part: C.TALLY_PART_BODY, kind: C.TALLY_PATCH_ATTEMPT, off: 8, width: 3},
		},
		Records: []uint64{plugin.last}, Flags: C.TALLY_BEACON_GZIP_WANTED | C.TALLY_BEACON_KEEP_ORDER, MaxAgeS: 60,
	})
}

func (plugin *Plugin) echo(event Event) (err error) {
	attributes := event.Attributes()
	if attributes["custom_name"] == "odd" {
		return Failure{7, "a status that is none"}
	}
	// A map has another order in each process.
	var names []string
	for name := range attributes {
		names = append(names, name)
	}
	sort.Strings(names)
	var pairs []any
	for _, name := range names {
		pairs = append(pairs, name, attributes[name])
	}
	pairs = append(pairs, "own_null", nil, "own_bool", true, "own_whole", 4.0, "own_double", 0.125,
		"own_infinite", math.Inf(1), "own_bytes", []byte{0, 255}, "own_text", "ü")
	plugin.last, err = plugin.host.EmitNumbered("echo", pairs...)
	return err
}
