package main

import (
	"os"
	"testing"
)

// asCommand is set where a test has started this program as the command.
const asCommand = "DUALGAP_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}
