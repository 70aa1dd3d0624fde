// Command schemagen prints the JSON Schema of a scenario, for site/static/scenario.schema.json:
//
//	go run ./engine/scenario/schemagen > site/static/scenario.schema.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	"squall/engine/scenario"
)

func main() {
	var out bytes.Buffer
	if err := json.Indent(&out, scenario.Schema(), "", " "); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
	out.WriteByte('\n')
	if _, err := out.WriteTo(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "schemagen:", err)
		os.Exit(1)
	}
}
