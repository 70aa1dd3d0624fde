package grading_test

import (
	"fmt"

	"squall/grading"
	"squall/grading/recording"
)

// A service that hands the error of its dependency to its own caller, and is well a second later.
func Example() {
	opened, err := grading.Open([]recording.File{{Name: "checkout.json", Data: []byte(`{
		"recording": {
			"service": "checkout",
			"inbound": [
				{"id": "r1", "atNs": 1000000000, "durationNs": 90000000, "method": "POST", "path": "/orders/17/pay", "status": 502},
				{"id": "r2", "atNs": 2000000000, "durationNs": 90000000, "method": "POST", "path": "/orders/18/pay", "status": 201},
			],
			"outbound": [
				{"id": "c1", "atNs": 1010000000, "durationNs": 50000000, "host": "payments", "method": "POST", "path": "/v1/charge",
				 "status": 503, "chaos": {"rule": "payments-down", "effects": ["status"], "status": 503}},
			],
		},
		"grading": {"role": "required"}, // it counts for the gate
	}`)}}, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	report := grading.Grade(opened.Input)
	fmt.Println(report.Overall, grading.Gate(report, grading.C))
	for _, f := range report.Services[0].Findings {
		fmt.Println(f.Sentence)
	}
	fmt.Println(grading.Status(grading.Outcome{Report: report, Gate: grading.C}))
	// Output:
	// F false
	// POST /orders/{id}/pay answered 502 while chaos rule "payments-down" returned 503 from payments POST /v1/charge.
	// 1
}
