package recording

import (
	"bytes"
	"strconv"
)

// markerName is the header or tag with which a recorder says what was done to a call, in lower case.
const markerName = "x-speedscale-chaos"

// unnamedRule is the rule of a mark that names none.
const unnamedRule = "unnamed"

// parseMarker reads a marker (grading.md 2); nil is a call that was left alone.
func parseMarker(marker []byte) *Chaos {
	marker = bytes.TrimSpace(marker)
	if len(marker) == 0 || string(marker) == "none" {
		return nil
	}
	c := &Chaos{}
	for part := range bytes.SplitSeq(marker, []byte(";")) {
		key, value, _ := bytes.Cut(part, []byte("="))
		key, value = bytes.TrimSpace(key), bytes.TrimSpace(value)
		if len(value) == 0 {
			continue
		}
		switch string(key) {
		case "rule":
			if c.Rule == "" {
				c.Rule = string(value)
			}
		case "effect":
			c.Effects = append(c.Effects, effectWord(string(value)))
		case "status":
			if n, ok := statusCode(scalar{text, value}); ok && !c.HasStatus {
				c.Status, c.HasStatus = n, true
			}
		}
	}
	if c.Rule == "" {
		c.Rule = unnamedRule
	}
	return c
}

// effectWord is an effect as grading.md 2 spells it.
func effectWord(word string) string {
	switch word {
	case "status code":
		return "status"
	case "no response", "noresponse":
		return "no-response"
	}
	return word
}

// sent is the status that a caller really got, when status was recorded (grading.md 10).
func (c *Chaos) sent(status int) int {
	if c == nil {
		return status
	}
	if c.HasStatus {
		return c.Status
	}
	for _, e := range c.Effects {
		switch e {
		case "refuse", "reset", "stall", "no-response":
			return 0
		}
	}
	return status
}

// statusMax bounds what counts as a status: HTTP has three digits.
const statusMax = 999

// statusCode is a status that is a number or the text of one. Below zero it is 0, no answer.
func statusCode(v scalar) (int, bool) {
	n, ok := v.integer()
	if !ok || n > statusMax {
		return 0, false
	}
	return int(max(n, 0)), true
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }
