package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const page = `<!doctype html><html><head>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="manifest" href="manifest.webmanifest">
<link rel="stylesheet" href="style.css">
<script src="theme.js"></script>
</head><body>
<script src="wasm_exec.js" defer></script>
<script src="boot.js" defer></script>
<script src="update.js" defer></script>
</body></html>
`

// built is a small folder as build.sh makes one.
func built(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("no xz")
	}
	dir := t.TempDir()
	noise := make([]byte, 300_000) // repeats near and far, and chance between
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise {
		switch {
		case i%7 == 0:
			noise[i] = byte(r.Uint32())
		case i > 70_000 && i%3 == 0:
			noise[i] = noise[i-70_000]
		default:
			noise[i] = byte(i / 50)
		}
	}
	for name, text := range map[string]string{
		"index.html": page, "icon.svg": "<svg/>", "style.css": "p{color:red}", "theme.js": "1;", "wasm_exec.js": "/* </script> */", "boot.js": "2;",
		"worker.js": "importScripts('wasm_exec.js');\n3;", "scenario.schema.json": "{}", "examples/a.json": "{}", "playground.wasm": string(noise),
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestBuild(t *testing.T) {
	dir := built(t)
	first, err := build(dir)
	if err != nil {
		t.Fatal(err)
	}
	second, err := build(dir)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("built twice, different bytes: %v", err)
	}
	for _, part := range []string{hash("p{color:red}"), hash("1;"), hash("2;"), hash("/* </script> */"), hash(unpack), "data:image/svg+xml;base64,", "<style>p{color:red}</style>"} {
		if !strings.Contains(string(first), part) {
			t.Errorf("it lacks %s", part)
		}
	}
	for _, part := range []string{"manifest", "update.js", `src="boot.js"`, "'self'"} {
		if strings.Contains(string(first), part) {
			t.Errorf("it still says %s", part)
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	dir := built(t)
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(strings.Replace(page, "<body>", `<body><img src="photo.png">`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := build(dir); !errors.Is(err, errExternal) {
		t.Errorf("a picture from elsewhere: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "boot.js")); err != nil {
		t.Fatal(err)
	}
	if _, err := build(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a script is missing: %v", err)
	}
}

// What unpack.js unpacks is what was packed, bit for bit.
func TestUnpack(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no Node")
	}
	dir := built(t)
	whole, err := build(dir)
	if err != nil {
		t.Fatal(err)
	}
	cut := func(pattern string) string {
		m := regexp.MustCompile(pattern).FindSubmatch(whole)
		if m == nil {
			t.Fatalf("the page has no %s", pattern)
		}
		return string(m[1])
	}
	var index []part
	if err := json.Unmarshal([]byte(cut(`id="packed-index">([^<]*)<`)), &index); err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for _, p := range index {
		text, err := os.ReadFile(filepath.Join(dir, p.Name))
		if err != nil || len(text) != p.Size {
			t.Fatalf("%s: %d bytes, %v", p.Name, p.Size, err)
		}
		want.Write(text)
	}
	begin, end := strings.Index(unpack, "const unlzma"), strings.Index(unpack, "const take")
	program := unpack[begin:end] + `
		const [text, size] = JSON.parse(require('fs').readFileSync(0, 'utf8'));
		process.stdout.write(unlzma(Buffer.from(text, 'base64'), size));`
	command := exec.Command(node, "-e", program)
	packed := cut(`id="packed">([^<]*)<`)
	in, err := json.Marshal([]any{packed, want.Len()})
	if err != nil {
		t.Fatal(err)
	}
	command.Stdin = bytes.NewReader(in)
	got, err := command.Output()
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("%d bytes become %d others: %v", want.Len(), len(got), err)
	}

	// cut short, it is refused
	raw, _ := base64.StdEncoding.DecodeString(packed)
	in, _ = json.Marshal([]any{base64.StdEncoding.EncodeToString(raw[:len(raw)/2]), want.Len()})
	command = exec.Command(node, "-e", program)
	command.Stdin = bytes.NewReader(in)
	if out, err := command.CombinedOutput(); err == nil {
		t.Errorf("half of it is taken for the whole: %d bytes", len(out))
	}
}
