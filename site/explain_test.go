package main

import (
	"os"
	"strings"
	"testing"
)

func TestExplainAfterTheRunAndBefore(t *testing.T) {
	a, b := begin(t, nil)
	a.openPanel("explain")
	b.settle()
	html := b.html()
	has(t, html, "3 attempts, 10s deadline", "Bound first by", "the measured attempt ceiling", "At worst 3 attempts in 1.63 s.", "attempt 3", "no more attempts",
		"Measured when the run ended", "3x p95 over 5m", "Outcomes, as Http judges them", "any other exception")
	hasNot(t, html, "cold, 3x")
	a.explainCold(true)
	b.settle()
	html = b.html()
	has(t, html, "Measured before the first call", "cold, 3x p95", "the deadline: attempt 1 takes exactly what is left", "At worst 1 attempt in 10 s.")
	if !strings.Contains(html, `id="explain-cold" aria-pressed="true"`) {
		t.Error("the choice does not say what is chosen")
	}
	// the choice stays when the text changes
	a.field("policy.attempts", "count", "5")
	b.settle()
	has(t, b.html(), "5 attempts, 10s deadline", "Measured before the first call")
}

func TestExplainFollowsTheCall(t *testing.T) {
	text, err := os.ReadFile("../examples/pool-stall.json")
	if err != nil {
		t.Fatal(err)
	}
	a, b := begin(t, nil)
	a.typed(string(text))
	a.openPanel("explain")
	b.settle()
	has(t, b.html(), "1 attempt, 10s deadline", "Not configured.")
	a.choose("payments → bank")
	b.settle()
	has(t, b.html(), "3 attempts, 10s deadline", "300ms")
	a.choose("bank")
	b.settle()
	has(t, b.html(), "Choose a call")
	a.choose("payments → bank")
	b.settle()
	has(t, b.html(), "3 attempts, 10s deadline")
	// a broken text leaves the explanation of the last good one
	a.typed(a.Text[:40])
	b.settle()
	has(t, b.html(), "3 attempts, 10s deadline", "stale-all")
}

func TestExplainWithoutAnEnd(t *testing.T) {
	a, b := begin(t, nil)
	a.field("policy.preset", "choice", `"none"`)
	a.field("policy.deadline", "bound", "none")
	b.settle()
	a.openPanel("explain")
	b.settle()
	has(t, b.html(), "no end", "At worst 1 attempt without an end.")
}

func TestExplainSurvivesACrash(t *testing.T) {
	a, b := begin(t, nil)
	b.crash = 1
	a.openPanel("explain")
	b.settle()
	has(t, b.html(), "The policy could not be explained: The engine stopped")
}
