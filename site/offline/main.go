// Command offline makes one HTML file of the built playground that opens from disk:
//
//	go run ./site/offline DIST
//
// writes DIST/squall-offline.html. Everything the page loads is packed into one stream of LZMA
// (gzip would be half a megabyte too much), written as base64, and unpacked by unpack.js. The
// content security policy names every script by its hash. Needs xz; the same input gives the same
// bytes.
package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

//go:embed unpack.js
var unpack string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: offline DIST")
		os.Exit(2)
	}
	page, err := build(os.Args[1])
	if err == nil {
		err = os.WriteFile(filepath.Join(os.Args[1], "squall-offline.html"), page, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "offline:", err)
		os.Exit(1)
	}
}

// part is one file of the packed stream.
type part struct {
	Name string `json:"name"`
	Size int    `json:"size"`
	// Run says that it is a script of the page; scripts run in their order.
	Run  bool `json:"run,omitempty"`
	text []byte
}

var (
	policyTag = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="[^"]*">\n`)
	styleTag  = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">`)
	scriptTag = regexp.MustCompile(`<script src="([^"]+)"( defer)?></script>\n?`)
	otherLink = regexp.MustCompile(`<link rel="(?:manifest|preload)"[^>]*>\n`)
	iconLink  = regexp.MustCompile(`<link rel="icon" href="([^"]+)"[^>]*>`)
)

// errExternal says that a page asks for something that is not packed.
var errExternal = errors.New("the page loads something that the single file would not have")

func build(dir string) ([]byte, error) {
	var failed error
	read := func(name string) []byte {
		b, err := os.ReadFile(filepath.Join(dir, name))
		failed = errors.Join(failed, err)
		return b
	}
	page := string(read("index.html"))

	var styles, scripts []string // their hashes
	var parts []part
	pack := func(name string, run bool) {
		text := read(name)
		parts = append(parts, part{name, len(text), run, text})
	}
	page = otherLink.ReplaceAllString(page, "")
	page = iconLink.ReplaceAllStringFunc(page, func(tag string) string {
		icon := read(iconLink.FindStringSubmatch(tag)[1])
		return `<link rel="icon" href="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString(icon) + `">`
	})
	page = styleTag.ReplaceAllStringFunc(page, func(tag string) string {
		css := string(read(styleTag.FindStringSubmatch(tag)[1]))
		styles = append(styles, hash(css))
		return "<style>" + css + "</style>"
	})
	page = scriptTag.ReplaceAllStringFunc(page, func(tag string) string {
		m := scriptTag.FindStringSubmatch(tag)
		switch {
		case m[1] == "update.js": // there is no newer version to hear of
			return ""
		case m[2] != "": // deferred: it may come a little later
			pack(m[1], true)
			return ""
		}
		text := string(read(m[1]))
		scripts = append(scripts, hash(text))
		return inline("", text)
	})
	for _, p := range parts {
		scripts = append(scripts, hash(string(p.text)))
	}
	pack("worker.js", false)
	pack("scenario.schema.json", false)
	examples, err := filepath.Glob(filepath.Join(dir, "examples", "*.json"))
	if err != nil {
		return nil, err
	}
	for _, e := range examples {
		pack("examples/"+filepath.Base(e), false)
	}
	pack("playground.wasm", false)
	if failed != nil {
		return nil, failed
	}

	packed, err := lzma(parts)
	if err != nil {
		return nil, err
	}
	index, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	scripts = append(scripts, hash(unpack))
	policy := "default-src 'none'; script-src 'wasm-unsafe-eval' " + strings.Join(scripts, " ") + "; style-src-elem " + strings.Join(styles, " ") +
		"; style-src-attr 'unsafe-inline'; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
	if !policyTag.MatchString(page) || !strings.Contains(page, "</body>") {
		return nil, errors.New("index.html has no policy or no end")
	}
	page = policyTag.ReplaceAllLiteralString(page, `<meta http-equiv="Content-Security-Policy" content="`+policy+`">`+"\n")
	page = strings.Replace(page, "</body>", inline(` type="application/json" id="packed-index"`, string(index))+"\n"+
		inline(` type="text/plain" id="packed"`, base64.StdEncoding.EncodeToString(packed))+"\n"+inline("", unpack)+"\n</body>", 1)
	if m := regexp.MustCompile(`(?:src|href)="[^"]+\.(?:js|css|svg|wasm|png)"`).FindString(page[:strings.Index(page, "<script type=")]); m != "" {
		return nil, fmt.Errorf("%w: %s", errExternal, m)
	}
	return []byte(page), nil
}

// hash is how a content security policy names a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// inline is an element around a script, which must not hold its end.
func inline(attributes, text string) string {
	if strings.Contains(strings.ToLower(text), "</script") {
		panic("a script that is written into the page holds the end of a script")
	}
	return "<script" + attributes + ">" + text + "</script>"
}

// lzma packs all parts into one stream.
func lzma(parts []part) ([]byte, error) {
	var plain bytes.Buffer
	for _, p := range parts {
		plain.Write(p.text)
	}
	command := exec.Command("xz", "--format=lzma", "--threads=1", "-9e", "--stdout")
	command.Env = []string{"PATH=" + os.Getenv("PATH")} // XZ_OPT and its like change bytes
	command.Stdin, command.Stderr = &plain, os.Stderr
	packed, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("xz: %w", err)
	}
	return packed, nil
}
