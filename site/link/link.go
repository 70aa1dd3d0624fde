// Package link puts a scenario into the fragment of an address, where no server sees it, and takes
// it out again.
//
// A fragment is "s1." and the base64url of a raw deflate stream of JSON:
//
//	{"engine": "1.0.0", "seed": 42, "digest": "sha256:...", "call": "a -> b", "text": "{ ... }"}
//
// The digest is what the sender's run gave, so that the receiver's can be compared with it.
package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"io"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
)

// TextMax is how much a link may unpack to: as much as a scenario may have, and what stands around
// it, escaped.
const TextMax = 3 << 20

// Errors of a fragment. ErrNone means that there is nothing to open, which is no mistake.
var (
	ErrNone   = errors.New("the address holds no scenario")
	ErrNewer  = errors.New("this link was made by a newer version of Squall than this page; open it there, or ask for the file")
	ErrBroken = errors.New("this link is broken: a part of it is missing or was changed on the way; ask for it again")
	ErrLarge  = errors.New("this link unpacks to more than a scenario may have")
)

// Shared is what a link carries.
type Shared struct {
	// Text is the document as written, comments included.
	Text string
	// Engine and Digest are those of the sender's run; both are empty when there was none.
	Engine, Digest string
	// Call is the call that was looked at, "from -> to", or empty.
	Call string
}

// Encode is the fragment of a document, without "#".
func Encode(s Shared) string {
	b := append([]byte(nil), `{"engine":`...)
	b = document.AppendText(b, s.Engine)
	b = append(b, `,"digest":`...)
	b = document.AppendText(b, s.Digest)
	b = append(b, `,"call":`...)
	b = document.AppendText(b, s.Call)
	b = append(b, `,"text":`...)
	b = append(document.AppendText(b, s.Text), '}')

	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return ""
	}
	if _, err := w.Write(b); err != nil {
		return ""
	}
	if err := w.Close(); err != nil {
		return ""
	}
	return "s1." + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// Decode reads a fragment, with or without "#".
func Decode(fragment string) (Shared, error) {
	fragment = strings.TrimPrefix(fragment, "#")
	version, packed, ok := strings.Cut(fragment, ".")
	if !ok || !strings.HasPrefix(version, "s") {
		return Shared{}, ErrNone
	}
	if version != "s1" {
		return Shared{}, ErrNewer
	}
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(packed, "="))
	if err != nil {
		return Shared{}, ErrBroken
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), TextMax+1))
	switch {
	case len(plain) > TextMax:
		return Shared{}, ErrLarge
	case err != nil || !gjson.ValidBytes(plain):
		return Shared{}, ErrBroken
	}
	r := gjson.ParseBytes(plain)
	text := r.Get("text")
	if text.Type != gjson.String {
		return Shared{}, ErrBroken
	}
	return Shared{Text: text.Str, Engine: r.Get("engine").String(), Digest: r.Get("digest").String(), Call: r.Get("call").String()}, nil
}

// Outcome is what the receiver's run says about the sender's, in a sentence, and whether it is good
// news. It is empty when the link carried no digest.
func (s Shared) Outcome(engine, digest string) (sentence string, same bool) {
	switch {
	case s.Digest == "":
		return "", false
	case s.Digest == digest:
		return "Reproduced, identical to the sender’s run.", true
	case s.Engine != engine:
		return "Not the sender’s numbers: that run was made by engine " + s.Engine + ", this one is " + engine + ".", false
	}
	return "Not the sender’s numbers, although the engine is the same (" + engine + "): the link was changed, or one of the two runs is wrong.", false
}
