package serve

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// begin starts a server; end ends it, and returns the error of Serve.
func begin(t *testing.T, c Config) (address string, end context.CancelFunc, ended <-chan error) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	done := make(chan error, 1)
	s := New(fruit(t, false), c)
	go func() { done <- s.Serve(ctx, l) }()
	return l.Addr().String(), cancel, done
}

// What runs when the server is to end comes to its end, and nothing new begins.
func TestEnd(t *testing.T) {
	address, end, ended := begin(t, limits())
	rest, send := open(t, "http://"+address)
	if got := send("[9,6]"); got != "pear" {
		t.Errorf("answer %s", got)
	}
	end()
	for { // until the listener is closed
		c, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		c.Close()
	}
	if got := send("[6,9]"); got != "apple" {
		t.Errorf("answer %s", got)
	}
	rest.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// What does not come to its end is cut after the grace.
func TestGrace(t *testing.T) {
	c := limits()
	c.Grace = time.Millisecond
	address, end, ended := begin(t, c)
	rest, send := open(t, "http://"+address)
	defer rest.Close()
	send("[9,6]")
	end()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "cut") {
		t.Errorf("error %v", err)
	}
}

// A body that does not come is an error.
func TestSlow(t *testing.T) {
	c := limits()
	c.Read = 50 * time.Millisecond
	address, _, _ := begin(t, c)
	for _, kind := range []string{"application/json", ndjson} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST /predict HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\nContent-Length: 100\r\n\r\n[1,",
			kind)
		w, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(w.Body)
		if w.StatusCode != 408 || !strings.Contains(string(text), `{"error":`) {
			t.Errorf("%s: %d %s", kind, w.StatusCode, text)
		}
	}
}

// What is no HTTP is answered by 4xx or by nothing, and the server goes on.
func TestNoHTTP(t *testing.T) {
	address, end, ended := begin(t, limits())
	for _, text := range []string{
		"\r\n\r\n", "GARBAGE\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "POST /predict HTTP/9.9\r\n\r\n",
		"POST /predict HTTP/1.1\r\n\r\n", "POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
		"POST /predict HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n",
		"POST /predict HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "GET /" +
			strings.Repeat("a", 1<<17) + " HTTP/1.1\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(conn, text)
		conn.(*net.TCPConn).CloseWrite()
		w, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil && (w.StatusCode < 400 || w.StatusCode > 499 && w.StatusCode != 505) {
			t.Errorf("%.60q: %d", text, w.StatusCode)
		}
		conn.Close()
	}
	w, err := http.Post("http://"+address+"/predict", "application/json", strings.NewReader("[9,6]"))
	if err != nil || w.StatusCode != 200 {
		t.Fatal(w, err)
	}
	w.Body.Close()
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
