package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
)

// served returns the address that a server tells on its standard error, and what it tells from then on.
func served(t *testing.T, stderr io.Reader) (url string, lines *bufio.Scanner) {
	t.Helper()
	lines = bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), " answers at "); ok {
			return url, lines
		}
		t.Log(lines.Text())
	}
	t.Fatal("the server has not begun")
	return "", nil
}

// post returns the answer of a server.
func post(t *testing.T, url, body string) string {
	t.Helper()
	w, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Status[:3] + " " + string(text)
}

// TestServe: a server answers until its context ends; its limits are its flags.
func TestServe(t *testing.T) {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	r, w := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, []string{"serve", "--listen", "127.0.0.1:0", "--max-rows", "2", weights(t, nil, "a b", "c")},
			io.Discard, w)
		w.Close()
	}()
	url, lines := served(t, r)
	if got := post(t, url, "[1,2]"); got != `200 {"label":"c","labels":["c"]}`+"\n" {
		t.Error(got)
	}
	if got := post(t, url, `{"rows":[[1,2],[1,2],[1,2]]}`); !strings.HasPrefix(got, "413 ") {
		t.Error(got)
	}
	end()
	for lines.Scan() {
		t.Error(lines.Text())
	}
	if c := <-code; c != 0 {
		t.Errorf("exit code %d", c)
	}
}

func TestServeErrors(t *testing.T) {
	m := weights(t, nil, "a", "b")
	for _, c := range []struct {
		code int
		args []string
		want string
	}{
		{failed, []string{"/no/such/file"}, "/no/such/file"},
		{failed, []string{text(t, "data.svm", "1 1:1\n")}, "no model"},
		{failed, []string{"--listen", "no/port", m}, "--listen no/port"},
		{misused, []string{"--max-body", "0", m}, "--max-body 0"},
		{misused, []string{"--max-body", "2000", m}, "--max-body 2000"},
		{misused, []string{"--max-rows", "0", m}, "--max-rows 0"},
		{misused, []string{"--max-concurrent-requests=-1", m}, "--max-concurrent-requests -1"},
		{misused, []string{"--timeout", "0s", m}, "--timeout 0s"},
		{misused, []string{"--grace=-1s", m}, "--grace -1s"},
	} {
		code, stdout, stderr := command(t, append([]string{"serve"}, c.args...)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: code %d, %q, %q; want %d, %q", c.args, code, stdout, stderr, c.code, c.want)
		}
	}
}
