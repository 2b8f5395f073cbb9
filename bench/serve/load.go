package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dualgap/dualgap/dataset"
)

// load is what a server is asked.
type load struct {
	url         string
	pid         int // of the server, 0 where it is not known
	rows        *dataset.Dense[float32]
	during      time.Duration
	batch, rate int
	connections int

	memory []string // of the server, as it was at times, in MB
}

func (l *load) run(ctx context.Context, out io.Writer) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1 << 10, DisableCompression: true}}
	if err := l.look(client); err != nil {
		return err
	}
	if err := l.batches(ctx, client, out); err != nil {
		return err
	}
	if err := l.singles(ctx, client, out); err != nil {
		return err
	}
	fmt.Fprintf(out, "memory in MB, before, behind the batches and ten times among the single rows: %s%s\n",
		strings.Join(l.memory, " "), l.resident())
	return nil
}

// batches sends batches, one after the other on each connection.
func (l *load) batches(ctx context.Context, client *http.Client, out io.Writer) error {
	bodies := l.bodies(l.batch)
	cpu := l.cpu()
	var done atomic.Int64
	ctx, cancel := context.WithTimeout(ctx, l.during)
	defer cancel()
	var wait sync.WaitGroup
	begin := time.Now()
	failures := make(chan error, l.connections)
	for k := range l.connections {
		wait.Go(func() {
			for i := k; ctx.Err() == nil; i++ {
				if err := l.ask(client, bodies[i%len(bodies)]); err != nil {
					failures <- err
					return
				}
				done.Add(int64(l.batch))
			}
		})
	}
	wait.Wait()
	took := time.Since(begin).Seconds()
	select {
	case err := <-failures:
		return err
	default:
	}
	fmt.Fprintf(out, "batches of %d rows: %.0f rows a second", l.batch, float64(done.Load())/took)
	if used := l.cpu() - cpu; used > 0 {
		fmt.Fprintf(out, ", %.0f in each second of a core that the server took", float64(done.Load())/used)
	}
	fmt.Fprintln(out)
	return l.look(client)
}

// singles sends rows at the rate.
func (l *load) singles(ctx context.Context, client *http.Client, out io.Writer) error {
	bodies := l.bodies(1)
	n := max(1, int(l.during.Seconds()*float64(l.rate)))
	times := make([]float64, n)
	var failed atomic.Int64
	var wait sync.WaitGroup
	looks, looked := make(chan struct{}, n), make(chan error, 1) // apart, so that no row waits for them
	go func() {
		var err error
		for range looks {
			err = errors.Join(err, l.look(client))
		}
		looked <- err
	}()
	begin := time.Now()
	for i := range n {
		due := begin.Add(time.Duration(float64(i) / float64(l.rate) * 1e9))
		time.Sleep(time.Until(due))
		if ctx.Err() != nil {
			break
		}
		wait.Go(func() {
			if err := l.ask(client, bodies[i%len(bodies)]); err != nil {
				failed.Add(1)
			}
			times[i] = time.Since(due).Seconds()
		})
		if tenth := max(1, n/10); (i+1)%tenth == 0 {
			looks <- struct{}{}
		}
	}
	wait.Wait()
	close(looks)
	if err := errors.Join(ctx.Err(), <-looked); err != nil {
		return err
	}
	slices.Sort(times)
	at := func(part float64) float64 { return 1e3 * times[min(n-1, int(part*float64(n)))] }
	fmt.Fprintf(out, "single rows, %d a second for %v: median %.2f ms, p90 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, most "+
		"%.2f ms, %d errors\n",
		l.rate, l.during, at(.5), at(.9), at(.99), at(.999), at(1), failed.Load())
	return nil
}

// bodies returns requests, each of the given number of rows.
func (l *load) bodies(rows int) (all [][]byte) {
	n, _ := l.rows.Dims()
	for from := 0; from+rows <= max(n, rows) && len(all) < 100; from += rows {
		b := []byte(`{"rows":[`)
		for i := from; i < from+rows; i++ {
			for j, v := range l.rows.Row(i % n) {
				b = append(b, "[,"[min(j, 1)])
				b = strconv.AppendFloat(b, float64(v), 'g', -1, 32)
			}
			b = append(b, "],"...)
		}
		all = append(all, append(b[:len(b)-1], "]}"...))
	}
	return all
}

// ask sends a request, and reads the answer.
func (l *load) ask(client *http.Client, body []byte) error {
	w, err := client.Post(l.url+"/predict", "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err == nil && (w.StatusCode != http.StatusOK || !bytes.HasPrefix(text, []byte(`{"predictions":[{`))) {
		err = fmt.Errorf("%s: %.200s", w.Status, text)
	}
	return err
}

// look notes the memory that the server says it has.
func (l *load) look(client *http.Client) error {
	w, err := client.Get(l.url + "/metrics")
	if err != nil {
		return err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "dualgap_memory_bytes "); ok {
			bytes, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			l.memory = append(l.memory, fmt.Sprintf("%.1f", bytes/1e6))
			return err
		}
	}
	return fmt.Errorf("%s/metrics does not tell the memory", l.url)
}

// cpu returns the seconds of cores that the server has taken, 0 where the system does not tell. Linux counts them in
// hundredths, in the fields 14 and 15.
func (l *load) cpu() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", l.pid))
	if err != nil || l.pid == 0 {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ") // behind the name, which may have blanks: field 3
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / 100
}

// resident tells the memory that the system counts, where it does.
func (l *load) resident() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", l.pid))
	if err != nil || l.pid == 0 {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			return ", the system counts " + strings.TrimSpace(v)
		}
	}
	return ""
}
