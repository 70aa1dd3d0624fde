package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"squall/edge/api"
	"squall/edge/realtime"
	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// Errors of an endpoint.
var (
	// ErrVersion says that another version of the engine answers there: its numbers may differ.
	ErrVersion = errors.New("another version of the engine")
	// ErrNotSquall says that what answers there is no Worker of Squall.
	ErrNotSquall = errors.New("no Squall answers there")
)

// answerMax bounds what is read of one answer.
const answerMax = 256 << 20

// Policy is the policy that requests are made under, one copy for each endpoint: four attempts, a
// retry budget, and a breaker. What is asked for differs in size, so no bound is measured.
func Policy() policy.Settings {
	s := policy.HTTP()
	s.Name = "squall"
	s.Attempts = 4
	s.Deadline, s.AttemptTimeout = 5*ticks.Minute, ticks.Minute
	s.AttemptCeiling = policy.Disable[policy.CeilingSettings]()
	b := policy.Breaker()
	b.SlowCalls = policy.Disable[policy.SlowCallsSettings]()
	s.Breaker = &b
	return s
}

// endpoint is one place that runs seeds.
type endpoint struct {
	url    string
	http   *http.Client
	driver *realtime.Driver
	limits api.Limits
	// lastGood is when it last answered well; protected by the band's mutex.
	lastGood time.Time
	gone     error
}

// newEndpoint checks an address; it asks nothing yet.
func newEndpoint(address string, client *http.Client, s policy.Settings, seed int32) (*endpoint, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%q is no address of a Worker such as https://squall.example.workers.dev", address)
	}
	s.Preset = policy.PresetHTTP // statuses are to be judged
	d, err := realtime.New(s, seed)
	if err != nil {
		return nil, err
	}
	return &endpoint{url: u.String(), http: client, driver: d}, nil
}

// answer is what one attempt brought back.
type answer struct {
	status  int
	body    []byte
	reports []*measure.Report
	err     error
}

// ask makes one request under the policy. The function read looks at a good answer; an error of it
// counts as a failure of the attempt, which may be tried again.
func (e *endpoint) ask(ctx context.Context, method, path string, body []byte, read func(*answer) error) (answer, realtime.Result, error) {
	return realtime.Do(ctx, e.driver, func(ctx context.Context) (answer, policy.Outcome) {
		a := e.attempt(ctx, method, path, body)
		if a.err == nil && a.status == http.StatusOK {
			a.err = read(&a)
		}
		if a.err != nil {
			return a, policy.Outcome{Failure: policy.IOException}
		}
		return a, policy.Outcome{Status: a.status}
	})
}

func (e *endpoint) attempt(ctx context.Context, method, path string, body []byte) answer {
	r, err := http.NewRequestWithContext(ctx, method, e.url+path, bytes.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := e.http.Do(r)
	if err != nil {
		return answer{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, answerMax+1))
	if err == nil && len(text) > answerMax {
		err = errors.New("the answer has no end")
	}
	return answer{status: response.StatusCode, body: text, err: err}
}

// greet asks what the endpoint is and what it takes.
func (e *endpoint) greet(ctx context.Context) error {
	var version string
	got, result, err := e.ask(ctx, http.MethodGet, "/api/limits", nil, func(a *answer) error {
		v, limits, ok := api.ParseLimits(a.body)
		if !ok {
			return ErrNotSquall
		}
		version, e.limits = v, limits
		return nil
	})
	switch {
	case err != nil:
		return err
	case !result.OK():
		return e.failure(got, result)
	case version != engine.Version:
		return fmt.Errorf("%s: %w: %s there, %s here; the digests would differ", e.url, ErrVersion, version, engine.Version)
	}
	return nil
}

// failure words why a call failed.
func (e *endpoint) failure(a answer, r realtime.Result) error {
	why := ""
	switch {
	case r.Stop == policy.StopDependencyUnavailable && r.Attempts == 0:
		return fmt.Errorf("%s: not asked, because it failed too often just now", e.url)
	case a.err != nil:
		return fmt.Errorf("%s: %w", e.url, a.err)
	case a.status == 0:
		why = "no answer in time"
	default:
		why = "status " + strconv.Itoa(a.status)
		if said := gjson.GetBytes(a.body, "error").Str; gjson.ValidBytes(a.body) && said != "" {
			why += ": " + said
		} else if first := gjson.GetBytes(a.body, "problems.0.message").Str; gjson.ValidBytes(a.body) && first != "" {
			why += ": " + gjson.GetBytes(a.body, "problems.0.path").Str + " " + first
		}
	}
	return fmt.Errorf("%s: %s", e.url, why)
}

// run runs a chunk of seeds. A report counts only when it is the seed's that was asked for and its
// digest is right.
func (e *endpoint) run(ctx context.Context, text string, t *engine.Topology, seeds []int32) (answer, realtime.Result, error) {
	b := measure.AppendText([]byte(`{"text":`), text)
	b = append(b, `,"seeds":[`...)
	for i, s := range seeds {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(s), 10)
	}
	return e.ask(ctx, http.MethodPost, "/api/band", append(b, "]}"...), func(a *answer) error {
		if !gjson.ValidBytes(a.body) {
			return errors.New("the answer broke off")
		}
		runs := gjson.GetBytes(a.body, "band.runs").Array()
		if len(runs) != len(seeds) {
			return fmt.Errorf("%d reports came back for %d seeds", len(runs), len(seeds))
		}
		for i, run := range runs {
			report, err := readReport(run, t)
			if err != nil {
				return err
			}
			if report.Seed != seeds[i] || report.Engine != engine.Version {
				return fmt.Errorf("the report of seed %d, engine %s, came back for seed %d", report.Seed, report.Engine, seeds[i])
			}
			a.reports = append(a.reports, report)
		}
		a.body = nil
		return nil
	})
}
