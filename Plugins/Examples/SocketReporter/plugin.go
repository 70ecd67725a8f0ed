package main

// #include "tables.h"
import "C"

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"time"
)

// How much waits at most for whoever reads the socket: then the host is told that there is no room.
const mostBytes = 1 << 20

// line is what goes to the socket for each record.
type line struct {
	Run        string         `json:"run"`
	Session    uint32         `json:"session"`
	Instance   string         `json:"instance"`
	Ordinal    uint64         `json:"n"`
	TimeUs     int64          `json:"t_us"`
	Kind       string         `json:"kind"`
	Attributes map[string]any `json:"attributes"`
}

// Plugin writes records as JSON, a line each, to a Unix socket. Nobody has to be there: it connects when there is
// something to say, keeps what it has for a while, and is full behind that.
type Plugin struct {
	Unhandled
	host       Host
	path       string
	connection net.Conn
	waiting    bytes.Buffer
}

func (plugin *Plugin) Configure(config string) error {
	var read struct{ Path string }
	if err := json.Unmarshal([]byte(config), &read); err != nil {
		return fmt.Errorf("the configuration is no JSON: %w", err)
	}
	plugin.path = read.Path
	return nil
}

func (plugin *Plugin) Take(output Output) error {
	if output.What() != C.TALLY_OUTPUT_RECORD {
		return nil
	}
	if plugin.waiting.Len() > mostBytes {
		if err := plugin.Flush(); err != nil {
			return err
		}
	}
	// An encoder ends each value with a line break.
	return json.NewEncoder(&plugin.waiting).Encode(line{
		Run: output.Run(), Session: output.Session(), Instance: output.Instance(), Ordinal: output.Ordinal(),
		TimeUs: output.TimeUs(), Kind: output.Kind(), Attributes: output.Attributes(),
	})
}

// Flush brings away what waits. What was written to a connection that then broke may come twice.
func (plugin *Plugin) Flush() error {
	if plugin.waiting.Len() == 0 {
		return nil
	}
	if plugin.connection == nil {
		connection, err := net.DialTimeout("unix", plugin.path, time.Second)
		if err != nil {
			return fmt.Errorf("nobody waits on the socket: %w; start who reads it, or change \"path\"", err)
		}
		plugin.connection = connection
	}
	plugin.connection.SetWriteDeadline(time.Now().Add(2 * time.Second))
	if _, err := plugin.connection.Write(plugin.waiting.Bytes()); err != nil {
		plugin.connection.Close()
		plugin.connection = nil
		return fmt.Errorf("the socket takes nothing: %w", err)
	}
	plugin.waiting.Reset()
	return nil
}
