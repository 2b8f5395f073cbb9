// Package pagetest checks pages of package page, for tests.
package pagetest

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/chart/svgtest"
)

var pictures = regexp.MustCompile(`(?s)<svg.*?</svg>`)

// Check reports what is wrong with a page: it is to be well-formed, to load nothing and run nothing, its links lead
// somewhere on it, and the texts of its pictures fit. It returns the text, and how many pictures there are.
func Check(t *testing.T, html []byte) (text string, count int) {
	t.Helper()
	page := string(html)
	ids, links := map[string]bool{}, []string{}
	for d := xml.NewDecoder(strings.NewReader(page)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.CharData:
			text += string(e)
		case xml.StartElement:
			switch e.Name.Local {
			case "script", "link", "img", "iframe", "object", "embed", "image", "use":
				t.Errorf("the page has a %s", e.Name.Local)
			}
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "id":
					ids[a.Value] = true
				case "href":
					links = append(links, a.Value)
				}
				if strings.Contains(a.Value, "//") || strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "src" {
					t.Errorf("%s has %s=%q", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
	if strings.Contains(page, "@import") || strings.Contains(page, "url(") {
		t.Error("the style loads something")
	}
	for _, l := range links {
		if !ids[strings.TrimPrefix(l, "#")] {
			t.Errorf("a link to %q leads nowhere", l)
		}
	}
	found := pictures.FindAllString(page, -1)
	for _, svg := range found {
		svgtest.Read(t, svg).Fits(t)
	}
	return text, len(found)
}
