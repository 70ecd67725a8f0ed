package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestReplay builds the plugin and replays the sample archive through it.
func TestReplay(t *testing.T) {
	library := filepath.Join(t.TempDir(), "@SYMBOL@.so")
	for _, command := range [][]string{
		{"./build.sh", library},
		{"tests/replay.sh", library},
	} {
		run := exec.Command(command[0], command[1:]...)
		run.Stdout, run.Stderr = os.Stdout, os.Stderr
		if err := run.Run(); err != nil {
			t.Fatalf("%s: %v", command[0], err)
		}
	}
}
