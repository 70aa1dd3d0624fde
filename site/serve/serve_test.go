package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func get(t *testing.T, method, path, accept string) *http.Response {
	t.Helper()
	files := fstest.MapFS{
		"index.html":        {Data: []byte("<!doctype html>")},
		"embed.html":        {Data: []byte("<!doctype html>")},
		"squall.wasm":       {Data: []byte("plain")},
		"squall.wasm.br":    {Data: []byte("br")},
		"squall.wasm.gz":    {Data: []byte("gz")},
		"examples/a.json":   {Data: []byte("{}")},
		"secret.key":        {Data: []byte("no")},
		"folder.html/x.txt": {Data: []byte("x")},
	}
	r := httptest.NewRequest(method, "http://127.0.0.1/", nil)
	r.URL.Path = path
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	w := httptest.NewRecorder()
	Handler(files).ServeHTTP(w, r)
	return w.Result()
}

func TestHandler(t *testing.T) {
	for _, c := range []struct {
		name, method, path, accept string
		status                     int
		kind, coding, body         string
	}{
		{"root", "GET", "/", "", 200, "text/html; charset=utf-8", "", "<!doctype html>"},
		{"brotli first", "GET", "/squall.wasm", "gzip, deflate, br", 200, "application/wasm", "br", "br"},
		{"gzip", "GET", "/squall.wasm", "gzip", 200, "application/wasm", "gzip", "gz"},
		{"refused coding", "GET", "/squall.wasm", "br;q=0, gzip;q=0.5", 200, "application/wasm", "gzip", "gz"},
		{"plain", "GET", "/squall.wasm", "", 200, "application/wasm", "", "plain"},
		{"no compressed form", "GET", "/examples/a.json", "br", 200, "application/json", "", "{}"},
		{"unknown kind", "GET", "/secret.key", "", 404, "text/plain; charset=utf-8", "", ""},
		{"compressed form by name", "GET", "/squall.wasm.br", "", 404, "text/plain; charset=utf-8", "", ""},
		{"way out", "GET", "/../../etc/passwd.txt", "", 404, "text/plain; charset=utf-8", "", ""},
		{"folder", "GET", "/folder.html", "", 404, "text/plain; charset=utf-8", "", ""},
		{"post", "POST", "/", "", 405, "text/plain; charset=utf-8", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := get(t, c.method, c.path, c.accept)
			body, _ := io.ReadAll(r.Body)
			if r.StatusCode != c.status || r.Header.Get("Content-Type") != c.kind || r.Header.Get("Content-Encoding") != c.coding {
				t.Errorf("got %d %q %q", r.StatusCode, r.Header.Get("Content-Type"), r.Header.Get("Content-Encoding"))
			}
			if c.body != "" && string(body) != c.body {
				t.Errorf("body %q", body)
			}
			if r.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Error("types may be guessed")
			}
		})
	}
}

func TestPolicy(t *testing.T) {
	for path, ancestors := range map[string]string{"/": "frame-ancestors 'self'", "/embed.html": "frame-ancestors *"} {
		policy := get(t, "GET", path, "").Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, ancestors) {
			t.Errorf("%s: %s", path, policy)
		}
		if strings.Contains(policy, "'unsafe-eval'") || strings.Contains(policy, "http") {
			t.Errorf("%s is not strict: %s", path, policy)
		}
	}
}

// The page carries the policy too, for servers that set no headers.
func TestPolicyOfPage(t *testing.T) {
	page, err := os.ReadFile("../static/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(page, []byte(`content="`+Policy+`"`)) {
		t.Error("index.html carries another policy than the server sends")
	}
	embed, err := os.ReadFile("../static/embed.html")
	if err != nil {
		t.Fatal(err)
	}
	if policy, _, _ := strings.Cut(policyOf("embed.html"), "; frame-ancestors"); !bytes.Contains(embed, []byte(`content="`+policy+`"`)) {
		t.Error("embed.html carries another policy than the server sends")
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	if err := Run(t.Context(), "127.0.0.1:0", dir, io.Discard); !errors.Is(err, ErrNotBuilt) {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Run(ctx, "127.0.0.1:0", dir, in) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(line[:n]), "http://")
	address, _, _ := strings.Cut(rest, " ")
	r, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if string(body) != "hello" {
		t.Errorf("got %q", body)
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("after the end: %v", err)
	}
}
