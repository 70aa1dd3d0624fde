package main

import (
	"strings"

	"github.com/tidwall/gjson"

	"squall/site/edit"
	"squall/site/view"
)

type exportKind struct{ ID, Title, About string }

// exports are the ways out of the page.
func (a *App) exports() []exportKind {
	return []exportKind{
		{"scenario", "Scenario (JSON)", "the text as you wrote it"},
		{"report", "Report (JSON)", "everything that was measured, with its digest; with the timeline if the scenario records one"},
		{"text", "Report (text)", "the block that the command line prints"},
		{"csv", "Seconds (CSV)", "one line a second of what is shown"},
		{"command", "Copy the command line", "the same run in a terminal"},
		{"gotest", "Copy a Go test", "a test that fails when this result changes"},
	}
}

// export saves or copies one of them.
func (a *App) export(id string) {
	name := fileName(a.title())
	if id != "scenario" && a.Run == nil {
		a.say("There is no result yet.")
		return
	}
	switch id {
	case "scenario":
		a.b.download(name+".json", "json", a.Text)
	case "report":
		a.exportReport(name + "-report.json")
	case "text":
		a.b.download(name+".txt", "txt", a.Run.Text)
	case "csv":
		a.b.download(name+".csv", "csv", view.CSV(a.series))
	case "command":
		a.copied(view.Command(name+".json", a.ran, a.Run), "Command copied.")
	case "gotest":
		a.copied(view.GoTest(a.title(), a.ran, a.Run), "Go test copied.")
	}
}

// exportReport saves the report that is shown. The digest of a recorded run is over its timeline too,
// which the page itself does not get: it is made once more, whole, so that whoever reads the file can
// check it.
func (a *App) exportReport(name string) {
	if edit.Value(a.ran, "record") != "true" {
		a.b.download(name, "json", a.Run.Report+"\n")
		return
	}
	a.say("Running once more, with the timeline …")
	a.clerk.ask("export", `"op":"run","full":true,"text":`+quote(a.ran), func(r gjson.Result) {
		if !r.Get("ok").Bool() {
			a.say("The report could not be made. " + r.Get("error").String())
			return
		}
		a.b.download(name, "json", r.Get("report").Raw+"\n")
		a.say("Report saved, with its timeline.")
	})
}

func (a *App) copied(text, notice string) {
	a.b.copyText(text, func(ok bool) {
		a.say(notice)
		if !ok {
			a.say("This browser did not let the page copy.")
		}
	})
}

// fileName is a title as the name of a file.
func fileName(title string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 48 {
			break
		}
	}
	if name := strings.Trim(b.String(), "-"); name != "" {
		return name
	}
	return "scenario"
}
