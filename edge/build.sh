#!/usr/bin/env bash
# Builds the Worker into edge/build/: its module, what Workers need around it, and the site from
# dist/. Fails when the Worker is heavier than a free account may deploy (3 MB with gzip).
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C TZ=UTC

mkdir -p edge/build
go tool workers-assets-gen -mode=go -o edge/build
GOOS=js GOARCH=wasm go build -trimpath -pgo=cmd/squall/default.pgo -ldflags='-s -w' -o edge/build/app.wasm ./edge
go build -o build/straighten ./wasm/straighten
build/straighten edge/build/app.wasm
cp edge/entry.mjs edge/build/
go run ./edge/pack dist edge/build

most=3000000
weight=$(cat edge/build/app.wasm edge/build/*.mjs edge/build/wasm_exec.js | gzip -9 -n | wc -c)
printf '%-42s %9d of %9d bytes\n' 'the Worker, gzip' "$weight" "$most"
if [ "$weight" -ge "$most" ]; then
  echo 'size: the Worker is too heavy for a free account'
  exit 1
fi
