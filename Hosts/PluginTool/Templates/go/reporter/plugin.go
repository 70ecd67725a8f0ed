package main

// #include "tables.h"
import "C"

import (
	"bufio"
	"fmt"
	"os"
)

var out = bufio.NewWriter(os.Stdout)

// Plugin writes a line to standard output for each record that a tracker made.
type Plugin struct {
	Unhandled
	host Host
}

func (plugin *Plugin) Take(output Output) error {
	if output.What() != C.TALLY_OUTPUT_RECORD {
		return nil
	}
	_, err := fmt.Fprintln(out, output.TimeUs()/1000, output.Run(), output.Session(), output.Instance(), output.Kind())
	return err
}

func (plugin *Plugin) Flush() error { return out.Flush() }
