// Package serve hands out the built playground: static files, compressed beforehand, under a
// strict content security policy.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Policy is the content security policy of every page. Nothing is loaded from elsewhere and no text
// is evaluated; WebAssembly needs its own word. Style attributes are set by the charts' tooltips.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src-elem 'self'; style-src-attr 'unsafe-inline'; " +
	"img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; " +
	"base-uri 'none'; form-action 'none'"

// ErrNotBuilt says that there is nothing to serve yet.
var ErrNotBuilt = errors.New("the playground is not built")

// types are the media types of what is served; anything else is not served at all.
var types = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".mjs":         "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".json":        "application/json",
	".wasm":        "application/wasm",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".txt":         "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json",
}

// Handler serves the files of a built playground (dist). A file is sent compressed when the client
// takes it and NAME.br or NAME.gz lies beside it.
func Handler(files fs.FS) http.Handler { return handler{files} }

type handler struct{ files fs.FS }

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	// Everything is public and nothing is told about who asks; sandboxed frames and other pages need it.
	header.Set("Access-Control-Allow-Origin", "*")
	header.Set("Cross-Origin-Resource-Policy", "cross-origin")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" {
		name = "index.html"
	}
	kind, known := types[path.Ext(name)]
	if !known || !fs.ValidPath(name) {
		http.NotFound(w, r)
		return
	}
	header.Set("Content-Type", kind)
	header.Set("Cache-Control", "no-cache") // ask again, but keep: the build may be newer
	header.Set("Vary", "Accept-Encoding")
	header.Set("Content-Security-Policy", policyOf(name))
	for _, c := range [...]struct{ coding, suffix string }{{"br", ".br"}, {"gzip", ".gz"}, {"", ""}} {
		if c.coding != "" && !accepts(r, c.coding) {
			continue
		}
		f, err := h.files.Open(name + c.suffix)
		if err != nil {
			continue
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			h.send(w, r, f, info, c.coding)
			return
		}
	}
	header.Del("Content-Type")
	http.NotFound(w, r)
}

func (h handler) send(w http.ResponseWriter, r *http.Request, f fs.File, info fs.FileInfo, coding string) {
	body, ok := f.(io.ReadSeeker)
	if !ok {
		http.Error(w, "this file cannot be sent", http.StatusInternalServerError)
		return
	}
	if coding != "" {
		w.Header().Set("Content-Encoding", coding)
	}
	w.Header().Set("ETag", fmt.Sprintf("\"%x-%x%s\"", info.ModTime().UnixNano(), info.Size(), coding))
	http.ServeContent(w, r, "", info.ModTime(), body)
}

// policyOf lets other sites frame only the page that is made for it. Its workers are blobs, because
// a sandboxed frame has no origin of its own.
func policyOf(name string) string {
	if name == "embed.html" {
		return strings.Replace(Policy, "worker-src 'self'", "worker-src blob:", 1) + "; frame-ancestors *"
	}
	return Policy + "; frame-ancestors 'self'"
}

// accepts tells whether the client takes a content coding.
func accepts(r *http.Request, coding string) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) == coding {
			q := strings.TrimSpace(weight)
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}

// Run serves a built folder on a loopback address ("127.0.0.1:0" picks a free port), prints where
// to look, and returns when the context ends.
func Run(ctx context.Context, address, dir string, out io.Writer) error {
	if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
		return fmt.Errorf("%s: %w (make build does that)", dir, ErrNotBuilt)
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: Handler(os.DirFS(dir)), ReadHeaderTimeout: 5 * time.Second}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	fmt.Fprintf(out, "The playground is at http://%s/ (Ctrl-C ends it)\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
