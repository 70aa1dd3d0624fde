// Command pack puts together what the Worker consists of besides its module: the files of the built
// site, without the copies that were compressed beforehand (the network does that itself), and the
// headers they are sent with, which are those of squall serve.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"squall/site/serve"
)

// headers go with every file of the site and with every refusal.
var headers = map[string]string{
	"X-Content-Type-Options":     "nosniff",
	"Referrer-Policy":            "no-referrer",
	"Permissions-Policy":         "camera=(), geolocation=(), microphone=()",
	"Cross-Origin-Opener-Policy": "same-origin",
	"Strict-Transport-Security":  "max-age=31536000",
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: pack SITE INTO")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(site, into string) error {
	if _, err := os.Stat(filepath.Join(site, "index.html")); err != nil {
		return errors.New(site + " holds no built site; make build does that")
	}
	to := filepath.Join(into, "site")
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	files := os.DirFS(site)
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz"):
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	})
	if err != nil {
		return err
	}
	module, err := headersModule()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(into, "headers.mjs"), module, 0o644)
}

// headersModule is a JavaScript module with the headers of every answer, and with the content
// security policies by path; the one without a path is everybody's.
func headersModule() ([]byte, error) {
	all, err := json.MarshalIndent(headers, "", "  ")
	if err != nil {
		return nil, err
	}
	framed := serve.Policy + "; frame-ancestors *"
	policies, err := json.MarshalIndent(map[string]string{"": serve.Policy + "; frame-ancestors 'self'", "/embed": framed, "/embed.html": framed}, "", "  ")
	if err != nil {
		return nil, err
	}
	return []byte("// Written by edge/pack.\nexport const headers = " + string(all) + ";\nexport const documents = " + string(policies) + ";\n"), nil
}
