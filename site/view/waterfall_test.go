package view

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// Two attempts of a call to a service, the first cut off; the service calls on in each.
const nested = `{"of":9,"calls":[
 {"depth":0,"parent":-1,"attempt":0,"from":"shop","to":"cart","number":4,"atNs":1000000000,"events":[
   [1000000000,"AttemptCeilingAdapted",1,"Ok","",0,100000000,4],
   [1100000000,"Attempt",1,"Transient","AttemptTimeoutException",100000000,null,4],
   [1100000000,"Retrying",2,"Transient","AttemptTimeoutException",100000000,50000000,4],
   [1180000000,"Attempt",2,"Ok","",30000000,null,4],
   [1180000000,"Succeeded",2,"Ok","",180000000,null,4]]},
 {"depth":1,"parent":0,"attempt":1,"from":"cart","to":"store","number":7,"atNs":1000000000,"events":[
   [1140000000,"Attempt",1,"Ok","",140000000,null,7],
   [1140000000,"Succeeded",1,"Ok","",140000000,null,7]]},
 {"depth":1,"parent":0,"attempt":2,"from":"cart","to":"store","number":8,"atNs":1150000000,"events":[
   [1180000000,"Attempt",1,"Ok","",30000000,null,8],
   [1180000000,"Succeeded",1,"Ok","",30000000,null,8]]}]}`

func TestWaterfall(t *testing.T) {
	got := ParseTrace(gjson.Parse(nested))
	if got.Number != 4 || got.Of != 9 || got.Begun != 1e9 || got.Title != "Call 4 of shop → cart, begun at 0:01.0000" || got.Cut {
		t.Errorf("%+v", got)
	}
	var lines []string
	for _, r := range got.Rows {
		lines = append(lines, r.Kind+" | "+r.Alternative()+" | "+strings.TrimPrefix(r.Indent, "padding-left:"))
	}
	want := `call good | shop → cart: succeeded after 180 ms | 0px
mark | ceiling of attempt 1: 100 ms, measured | 12px
failed | attempt 1: cut off by its ceiling after 100 ms | 12px
call good | → store, call 7: succeeded after 140 ms | 24px
attempt | attempt 1: answered after 140 ms | 36px
backoff | backoff before 2: 50 ms | 12px
attempt | attempt 2: answered after 30 ms | 12px
call good | → store, call 8: succeeded after 30 ms | 24px
attempt | attempt 1: answered after 30 ms | 36px`
	if text := strings.Join(lines, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	// the second attempt begins five sixths into the call
	if bar := got.Rows[6].Bar; bar != "left:83.33%;width:16.67%" {
		t.Errorf("attempt 2 at %s", bar)
	}
}

func TestWaterfallOutcomes(t *testing.T) {
	for kind, want := range map[string]string{
		"RejectedByBreaker": "refused by the breaker after 10 ms", "RejectedByBudget": "failed after 10 ms, no token for a retry",
		"DeadlineExceeded": "out of time after 10 ms", "Exhausted": "failed after 10 ms, no attempts left",
		"NotRetried": "failed after 10 ms, not worth a retry", "Attempt": "not finished, 10 ms",
	} {
		got := ParseTrace(gjson.Parse(`{"calls":[{"parent":-1,"from":"a","to":"b","number":0,"atNs":0,"events":[[10000000,"` + kind + `",1,"Transient","IOException",10000000,null,0]]}]}`))
		if len(got.Rows) == 0 || got.Rows[0].Text != want {
			t.Errorf("%s: %+v", kind, got.Rows)
		}
	}
	for _, empty := range []string{``, `{}`, `{"calls":[]}`, `{"calls":[{}]}`, `{"calls":[{"parent":5},{"parent":1}]}`} {
		ParseTrace(gjson.Parse(empty)) // must not panic
	}
}

func TestTicks(t *testing.T) {
	for _, tt := range []struct {
		length int64
		want   string
	}{
		{180e6, "0 s, 50 ms, 100 ms, 150 ms"},
		{10e9, "0 s, 2 s, 4 s, 6 s, 8 s, 10 s"},
		{1, "0 s"},
	} {
		var texts []string
		for _, tick := range ticksOf(tt.length) {
			texts = append(texts, tick.Text)
		}
		if got := strings.Join(texts, ", "); !strings.HasPrefix(got, tt.want) || len(texts) > 8 {
			t.Errorf("%d: %s", tt.length, got)
		}
	}
}
