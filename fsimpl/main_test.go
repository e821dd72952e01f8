package fsimpl_test

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(verify(m)) }
