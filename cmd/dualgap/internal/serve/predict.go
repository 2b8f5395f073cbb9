package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/answer"
	"github.com/dualgap/dualgap/cmd/dualgap/internal/jsonrow"
	"github.com/dualgap/dualgap/solvers/predictor"
)

// predict answers with predictions.
func (s *Server) predict(w *answered, r *http.Request) {
	m := s.model.Load()
	options, err := optionsOf(r.URL.RawQuery)
	var line answer.Line
	if err == nil {
		line, err = m.objects.Line(options)
	}
	if err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("the query: %w", err))
		return
	}
	stream, err := isStream(r.Header)
	if err != nil {
		fail(w, http.StatusUnsupportedMediaType, err)
		return
	}
	work := m.work()
	defer m.back(work)
	if stream {
		s.stream(w, r, m, work, line)
		return
	}
	if err := s.read(work, w, r); err != nil {
		fail(w, codeOf(err), err)
		return
	}
	alone, err := work.parser.Body(work.rows, work.body, s.config.MaxRows)
	if err != nil {
		fail(w, codeOf(err), err)
		return
	}
	if !alone {
		work.out = append(work.out, `{"predictions":[`...)
	}
	err = work.predict(r.Context(), m.p, func(i int) {
		if i > 0 {
			work.out = append(work.out, ',')
		}
	}, line)
	if err != nil {
		fail(w, codeOf(err), err)
		return
	}
	if !alone {
		work.out = append(work.out, "]}"...)
	}
	work.out = append(work.out, '\n')
	s.metrics.rows.Add(int64(work.rows.Len()))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(work.out)))
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.config.Write))
	w.Write(work.out)
}

// predict appends the predictions of all rows to out, and calls begin before the prediction of row i.
func (k *work) predict(ctx context.Context, p *predictor.Predictor, begin func(i int), line answer.Line) error {
	return p.Each(ctx, k.rows, func(i int, q *predictor.Prediction) error {
		begin(i)
		k.out = line(k.out, q)
		return nil
	}, 1)
}

// read reads the body.
func (s *Server) read(k *work, w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength > s.config.MaxBody {
		return &http.MaxBytesError{Limit: s.config.MaxBody}
	}
	body := http.MaxBytesReader(w, r.Body, s.config.MaxBody)
	k.body = k.body[:0]
	for {
		if len(k.body) == cap(k.body) { // memory as bytes come, not as the header promises
			k.body = append(k.body, make([]byte, max(1<<12, min(len(k.body), 1<<22)))...)[:len(k.body)]
		}
		n, err := body.Read(k.body[len(k.body):cap(k.body)])
		k.body = k.body[:len(k.body)+n]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// codeOf returns the status of an error of a request.
func codeOf(err error) int {
	var long *http.MaxBytesError
	var late interface{ Timeout() bool }
	switch {
	case errors.As(err, &long), errors.Is(err, jsonrow.ErrTooMany):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &late) && late.Timeout():
		return http.StatusRequestTimeout
	case errors.Is(err, context.Canceled):
		return 499 // as nginx has it: nobody waits for the answer
	}
	return http.StatusBadRequest
}

// isStream reports whether a request has NDJSON, or an error where it has neither that nor JSON.
func isStream(h http.Header) (bool, error) {
	if coding := h.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return false, fmt.Errorf("content encoding %.50q, want none", coding)
	}
	text := h.Get("Content-Type")
	if text == "" {
		return false, nil
	}
	kind, parameters, err := mime.ParseMediaType(text)
	if charset := parameters["charset"]; err == nil && charset != "" && !strings.EqualFold(charset, "utf-8") {
		return false, fmt.Errorf("charset %.50q, want utf-8", charset)
	}
	switch kind {
	case "application/json", "application/x-www-form-urlencoded": // curl -d says the latter of whatever it sends
		return false, err
	case "application/x-ndjson", "application/ndjson", "application/jsonl":
		return true, err
	}
	return false, fmt.Errorf("content type %.100q, want application/json or application/x-ndjson", text)
}

// optionsOf reads the query. A name alone is true.
func optionsOf(query string) (o answer.Options, err error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return o, err
	}
	for name, all := range values {
		if len(all) > 1 {
			return o, fmt.Errorf("%.50q comes %d times", name, len(all))
		}
		text := all[0]
		switch name {
		case "k":
			if o.K, err = strconv.Atoi(text); err != nil || o.K < 1 {
				return o, fmt.Errorf("k is %.50q, want an integer, 1 at least", text)
			}
		case "scores", "probabilities":
			on, err := strconv.ParseBool(text)
			if err != nil && text != "" {
				return o, fmt.Errorf("%s is %.50q, want true or false", name, text)
			}
			on = on || text == ""
			if name == "scores" {
				o.Scores = on
			} else {
				o.Probabilities = on
			}
		default:
			return o, fmt.Errorf("%.50q, want k, scores or probabilities", name)
		}
	}
	return o, nil
}
