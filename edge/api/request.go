package api

import (
	"fmt"
	"io"
	"net/http"

	"github.com/tidwall/gjson"
)

// depthMax is how deep a request may nest. The deepest has a list of files.
const depthMax = 8

// read reads the body of a request, a JSON object of at most so many bytes; what is wrong with it was
// answered when ok is false.
func read(w http.ResponseWriter, r *http.Request, most int) (body []byte, ok bool) {
	if r.ContentLength > int64(most) {
		tooLarge(w, most)
		return nil, false
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(most)+1))
	switch {
	case err != nil:
		fail(w, http.StatusBadRequest, "the request broke off")
	case len(body) > most:
		tooLarge(w, most)
	case tooDeep(body) || !gjson.ValidBytes(body) || !gjson.ParseBytes(body).IsObject():
		fail(w, http.StatusBadRequest, `the request must be a JSON object such as {"text": "the scenario"}`)
	default:
		return body, true
	}
	return nil, false
}

func tooLarge(w http.ResponseWriter, most int) {
	fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request is too large: at most %d bytes are read here", most))
}

// tooDeep finds nesting that a recursive reader should not be given: its stack would grow with it.
func tooDeep(text []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			if depth++; depth > depthMax {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}
