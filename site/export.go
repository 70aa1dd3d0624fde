package main

import (
	"strings"

	"squall/site/view"
)

type exportKind struct{ ID, Title, About string }

// exports are the ways out of the page.
func (a *App) exports() []exportKind {
	return []exportKind{
		{"scenario", "Scenario (JSON)", "the text as you wrote it"},
		{"report", "Report (JSON)", "everything that was measured, with its digest"},
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
		a.Notice = "There is no result yet."
		return
	}
	switch id {
	case "scenario":
		a.b.download(name+".json", "json", a.Text)
	case "report":
		a.b.download(name+"-report.json", "json", a.Run.Report+"\n")
	case "text":
		a.b.download(name+".txt", "txt", a.Run.Text)
	case "csv":
		a.b.download(name+".csv", "csv", view.CSV(a.series))
	case "command":
		a.copied(view.Command(name+".json", a.Text, a.Run), "Command copied.")
	case "gotest":
		a.copied(view.GoTest(a.title(), a.Text, a.Run), "Go test copied.")
	}
}

func (a *App) copied(text, notice string) {
	a.b.copyText(text, func(ok bool) {
		a.Notice = notice
		if !ok {
			a.Notice = "This browser did not let the page copy."
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
