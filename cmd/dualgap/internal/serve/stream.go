package serve

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/answer"
)

// together is how many rows of a stream are predicted at a time, where they come as quickly.
const together = 256

// stream answers each line of NDJSON by a line, while they come. Lines that hold nothing are passed over. The first
// error ends it: as the status, where no answer has gone out yet, else as the last line.
func (s *Server) stream(w *answered, r *http.Request, m *loaded, k *work, line answer.Line) {
	control := http.NewResponseController(w)
	control.EnableFullDuplex() // where the protocol needs that: answers go out before the last row has come
	lines := &lines{in: bufio.NewReaderSize(r.Body, 1<<16), most: s.config.MaxBody, long: k.body[:0]}
	defer func() { k.body = lines.long }()
	first, number := 1, 0 // lines: of the rows at hand, and the last one
	flush := func() error {
		k.out = k.out[:0]
		if err := k.predict(r.Context(), m.p, func(i int) {
			if i > 0 {
				k.out = append(k.out, '\n')
			}
		}, line); err != nil {
			return fmt.Errorf("line %d or one of the %d behind it: %w", first, k.rows.Len()-1, err)
		}
		if k.rows.Len() == 0 {
			return nil
		}
		s.metrics.rows.Add(int64(k.rows.Len()))
		k.rows.Reset()
		return send(w, control, append(k.out, '\n'), s.config.Write)
	}
	err := func() error {
		for {
			if k.rows.Len() == together || !lines.ready() {
				if err := flush(); err != nil {
					return err
				}
			}
			control.SetReadDeadline(time.Now().Add(s.config.Read))
			text, err := lines.next()
			number++
			if len(bytes.TrimSpace(text)) > 0 && (err == nil || errors.Is(err, io.EOF)) {
				if k.rows.Len() == 0 {
					first = number
				}
				if err := k.parser.Line(k.rows, text); err != nil {
					return fmt.Errorf("line %d: %w", number, err)
				}
			}
			switch {
			case errors.Is(err, io.EOF):
				return flush()
			case err != nil:
				return fmt.Errorf("line %d: %w", number, err)
			}
		}
	}()
	switch {
	case err == nil && w.code == 0:
		w.Header().Set("Content-Type", "application/x-ndjson")
		w.WriteHeader(http.StatusOK)
	case err != nil && w.code == 0:
		w.Header().Set("Connection", "close") // the rest of the body is not read
		fail(w, codeOf(err), err)
	case err != nil:
		last, _ := json.Marshal(map[string]string{"error": err.Error()})
		send(w, control, append(last, '\n'), s.config.Write)
	}
}

// send writes lines, at once.
func send(w *answered, control *http.ResponseController, text []byte, limit time.Duration) error {
	if w.code == 0 {
		w.Header().Set("Content-Type", "application/x-ndjson")
	}
	control.SetWriteDeadline(time.Now().Add(limit))
	if _, err := w.Write(text); err != nil {
		return err
	}
	return control.Flush()
}

// lines reads lines of limited length.
type lines struct {
	in   *bufio.Reader
	most int64
	long []byte // a line that is longer than the reader's memory
}

// ready reports whether a whole line has come already.
func (l *lines) ready() bool {
	some, _ := l.in.Peek(l.in.Buffered())
	return bytes.IndexByte(some, '\n') >= 0
}

// next returns the next line, until the next call. With io.EOF it is the rest.
func (l *lines) next() ([]byte, error) {
	l.long = l.long[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if int64(len(l.long)+len(part)) > l.most {
			return nil, &http.MaxBytesError{Limit: l.most}
		}
		if !errors.Is(err, bufio.ErrBufferFull) && len(l.long) == 0 {
			return part, err
		}
		l.long = append(l.long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return l.long, err
		}
	}
}
