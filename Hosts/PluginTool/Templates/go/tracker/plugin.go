package main

// #include "tables.h"
import "C"

// Plugin measures how long the viewer waits for data, and counts pauses.
type Plugin struct {
	Unhandled
	host     Host
	video    string
	pauses   int64
	waits    int64
	waitedUs int64
	// Since when the viewer waits, or nil.
	waitingSinceUs *int64
}

func (plugin *Plugin) SessionBegin(Event) error {
	*plugin = Plugin{host: plugin.host}
	return nil
}

// OnEvent ignores what it does not know: a newer host may say more.
func (plugin *Plugin) OnEvent(event Event) error {
	switch event.Type() {
	case C.TALLY_EVENT_TYPE_VIDEO_LOAD:
		plugin.video = event.Text(C.TALLY_KEY_VIDEO_NAME)
	case C.TALLY_EVENT_TYPE_PAUSE:
		plugin.pauses++
	case C.TALLY_EVENT_TYPE_BUFFER_START:
		if plugin.waitingSinceUs == nil {
			since := event.TimeUs()
			plugin.waitingSinceUs = &since
		}
	case C.TALLY_EVENT_TYPE_BUFFER_COMPLETE:
		return plugin.finishWait(event.TimeUs(), event.State())
	}
	return nil
}

func (plugin *Plugin) SessionEnd(_ uint32, nowUs int64, now C.tally_state) error {
	if err := plugin.finishWait(nowUs, now); err != nil {
		return err
	}
	return plugin.host.Emit("summary",
		"video", plugin.video, "pauses", plugin.pauses, "waits", plugin.waits, "waited_ms", plugin.waitedUs/1000)
}

func (plugin *Plugin) finishWait(nowUs int64, now C.tally_state) error {
	if plugin.waitingSinceUs == nil {
		return nil
	}
	waitedUs := nowUs - *plugin.waitingSinceUs
	plugin.waitingSinceUs = nil
	plugin.waits++
	plugin.waitedUs += waitedUs
	if now.known&C.TALLY_KNOWN_PLAYHEAD == 0 {
		return plugin.host.Emit("wait", "waited_ms", waitedUs/1000)
	}
	return plugin.host.Emit("wait", "waited_ms", waitedUs/1000, "playhead_ms", int64(now.playhead_ms))
}
