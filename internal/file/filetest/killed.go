// Package filetest is for tests of what programs write that are killed, or that write where the system refuses.
package filetest

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Variable is the environment's one that says how many processes each test kills. Without it there are a few.
const Variable = "DUALGAP_KILLS"

// Kills returns how many processes a test is to kill.
func Kills(t testing.TB, usual int) int {
	t.Helper()
	v := os.Getenv(Variable)
	switch {
	case v == "" && testing.Short():
		return 1 + usual/4
	case v == "":
		return usual
	}
	kills, err := strconv.Atoi(v)
	if err != nil || kills < 1 {
		t.Fatalf("%s = %q, want a number", Variable, v)
	}
	return kills
}

// told is the variable that holds the words for a process of Again.
const told = "DUALGAP_TEST_TOLD"

// Again returns a command that runs the test that calls it in a process of its own, which is told words: see Told.
func Again(t testing.TB, words ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skip("no path of the test: ", err)
	}
	parts := strings.Split(t.Name(), "/")
	for k, part := range parts {
		parts[k] = "^" + regexp.QuoteMeta(part) + "$"
	}
	c := exec.Command(self, "-test.run="+strings.Join(parts, "/"), "-test.timeout=5m")
	c.Env = append(os.Environ(), told+"="+strings.Join(words, "\n"))
	return c
}

// Told returns the words for this process; ok is false where no test has started it.
func Told() (words []string, ok bool) {
	all, ok := os.LookupEnv(told)
	return strings.Split(all, "\n"), ok
}

// Begun says that what may be killed begins now.
func Begun() { os.Stdout.WriteString(begun) }

const begun = "begun\n"

// Killer kills processes at random moments.
type Killer struct {
	t     testing.TB
	kills int // to go
	done  int
	turns int
	most  time.Duration // that a process takes
}

// NewKiller returns one for a number of kills.
func NewKiller(t testing.TB, kills int) *Killer { return &Killer{t: t, kills: kills} }

// More reports whether there is another one to kill. Where processes end too soon again and again there is none.
func (k *Killer) More() bool {
	k.t.Helper()
	if k.turns > 40*(k.kills+k.done) {
		k.t.Errorf("%d killed in %d turns, %d are left: processes end too soon", k.done, k.turns, k.kills)
		return false
	}
	return k.kills > 0
}

// Done returns how many were killed.
func (k *Killer) Done() int { return k.done }

// Whole runs a process to its end, and takes its time for the most that others like it take.
func (k *Killer) Whole(c *exec.Cmd) (stdout string) {
	k.t.Helper()
	_, stdout, k.most = k.run(c, time.Hour)
	return stdout
}

// Run runs a process and kills it at a random moment, if there is another one to kill, unless it comes to its end
// before.
func (k *Killer) Run(c *exec.Cmd) (killed bool, stdout string) {
	k.t.Helper()
	wait := time.Hour
	if k.More() {
		k.turns++
		wait = time.Duration(rand.Float64() * float64(k.most))
	}
	killed, stdout, _ = k.run(c, wait)
	if killed {
		k.kills--
		k.done++
	}
	return killed, stdout
}

// run runs a process and kills it once the time is over, which is from Begun on where the process says so.
func (k *Killer) run(c *exec.Cmd, wait time.Duration) (killed bool, stdout string, took time.Duration) {
	k.t.Helper()
	out, said := &beginning{from: time.Now(), begun: make(chan struct{})}, bytes.Buffer{}
	c.Stdout, c.Stderr = out, &said
	if err := c.Start(); err != nil {
		k.t.Skip(err) // on an emulated CPU, say
	}
	over, cut := make(chan struct{}), atomic.Bool{}
	go func() {
		if strings.Contains(strings.Join(c.Env, " "), told+"=") {
			select {
			case <-out.begun:
			case <-over:
				return
			}
		}
		select {
		case <-time.After(wait):
			cut.Store(true)
			c.Process.Kill()
		case <-over:
		}
	}()
	err := c.Wait()
	close(over)
	switch {
	case err == nil:
		return false, out.text.String(), time.Since(out.from)
	case c.ProcessState.ExitCode() > 0 && !(cut.Load() && runtime.GOOS == "windows"): // where a kill is a code, too
		k.t.Fatalf("%s: %v: %s%s", strings.Join(c.Args, " "), err, &out.text, &said)
	}
	return true, out.text.String(), time.Since(out.from)
}

// beginning is what a process writes, and since when it has begun.
type beginning struct {
	text  bytes.Buffer
	from  time.Time
	begun chan struct{}
	has   bool
}

func (b *beginning) Write(p []byte) (int, error) {
	b.text.Write(p)
	if !b.has && bytes.Contains(b.text.Bytes(), []byte(begun)) {
		b.has, b.from = true, time.Now()
		close(b.begun)
	}
	return len(p), nil
}

// Left returns the files in a folder that writers have left.
func Left(t testing.TB, dir string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range all {
		if strings.HasPrefix(entry.Name(), ".") || strings.HasSuffix(entry.Name(), ".tmp") {
			names = append(names, filepath.Join(dir, entry.Name()))
		}
	}
	return names
}
