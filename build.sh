#!/usr/bin/env bash
# Builds everything that a person opens into dist/:
#
#   playground.wasm      the page and, in a worker, the engine: one module with two roles
#   squall.wasm          the engine and the grader alone, for Node and other pages, with squall.js, its
#                        types and package.json: dist is also the npm package
#   editor.js charts.js  CodeMirror, ECharts and dagre, bundled from the exact versions of package-lock.json
#   index.html ...       the page, its styles, its workers, the examples
#   squall-offline.html  the page as one file that opens from disk
#   sw.js                the service worker that keeps the page for times without a network
#   *.br *.gz            all of it compressed
#
# Needs Go, Node and xz. The same sources give the same bytes.
set -euo pipefail
cd "$(dirname "$0")"
export LC_ALL=C TZ=UTC

if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  npm ci --silent
  touch node_modules/.package-lock.json
fi

rm -rf dist
mkdir -p dist
go generate ./site

# Inlining costs download and gains nothing where a run spends no time: only what a run goes through
# keeps it (docs/RATIONALE.md, "Weight").
flags=(-trimpath -pgo=cmd/squall/default.pgo -ldflags='-s -w' -gcflags='all=-l')
for hot in math/... slices strconv internal/strconv squall/engine squall/engine/{jsontext,measure,policy,ticks,virtual,world}; do
  flags+=(-gcflags="$hot=")
done
go build -o build/straighten ./wasm/straighten
wasm() {
  GOOS=js GOARCH=wasm go build "${flags[@]}" -o "dist/$1" "$2"
  build/straighten "dist/$1"
}
wasm playground.wasm ./site &
page=$!
wait $page
wasm squall.wasm ./wasm

cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" dist/
node wasm/npm/build.mjs dist "$(go env GOROOT)"
cp -r site/static/. dist/
cp docs/embeds.html dist/docs/
go run ./site/gallery examples dist

# What the renderer asks of JavaScript is shipped as a file and then not evaluated again, so that
# the page runs under a content security policy without 'unsafe-eval'.
sed '/\/\*DEBUG/d' "$(go list -m -f '{{.Dir}}' github.com/vugu/vugu)/domrender/renderer-js-script.js" >dist/vugu-helper.js
echo 'window.eval = function () {};' >>dist/vugu-helper.js

bundle() { node_modules/.bin/esbuild "site/js/$1.mjs" --bundle --minify --format=iife --global-name="$2" --legal-comments=none --log-level=warning --outfile="dist/$1.js"; }
bundle editor squallEditor
bundle charts squallCharts
cat node_modules/echarts/LICENSE >dist/LICENSE-echarts.txt
cat node_modules/@codemirror/view/LICENSE >dist/LICENSE-codemirror.txt
cat node_modules/@dagrejs/dagre/LICENSE >dist/LICENSE-dagre.txt

go run ./site/offline dist
go run ./site/precache dist
go run ./site/pack dist
