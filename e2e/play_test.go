package e2e

import (
	"encoding/json"
	"testing"
	"time"
)

func quote(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestFirst(t *testing.T) {
	p := open(t, 1440, 1000, "")
	time.Sleep(500 * time.Millisecond)
	p.shot("first")
	t.Log(p.text(`document.querySelector('#verdict').textContent`))
	p.clean()
}
