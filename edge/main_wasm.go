// Command edge is Squall as a Cloudflare Worker: package api on the Workers runtime, with short links
// in KV. entry.mjs stands before it: it hands out the site, counts requests, and starts this module
// only for what needs the engine. Every request has an instance of its own.
package main

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/syumai/workers"
	"github.com/syumai/workers/cloudflare/kv"

	"squall/edge/api"
)

// An isolate has 128 MB, and what an instance once took it never gives back.
const (
	memoryCare = 80 << 20  // from here on the collector works harder
	memoryMost = 104 << 20 // here a run ends
)

var errMemory = errors.New("the run holds more calls at once than the memory of a Worker has room for: shorten duration, lower perSecond, or bound calls with a deadline; the command line has no such limit")

func main() {
	debug.SetMemoryLimit(memoryCare)
	a := &api.API{Guard: guard()}
	if namespace, err := kv.NewNamespace("LINKS"); err == nil {
		a.Links = links{namespace}
	}
	workers.Serve(a)
}

// guard ends a run that takes too much memory. It is asked every few thousand steps of a run, and
// looks once in a while, since looking takes time.
func guard() func() error {
	asked := 0
	return func() error {
		if asked++; asked%16 != 0 {
			return nil
		}
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.Sys > memoryMost {
			return errMemory
		}
		return nil
	}
}

// links keeps records in a KV namespace.
type links struct{ namespace *kv.Namespace }

func (l links) Get(_ context.Context, key string) (string, bool, error) {
	text, err := l.namespace.GetString(key, nil)
	// A missing key is read as the text of a JavaScript null; every record is an object.
	return text, err == nil && strings.HasPrefix(text, "{"), err
}

func (l links) Put(_ context.Context, key, text string, lifetime time.Duration) error {
	return l.namespace.PutString(key, text, &kv.PutOptions{ExpirationTTL: int(lifetime / time.Second)})
}
