package main

// Topbar has the title of the document and what can be done with it.
type Topbar struct{ App *App }

func themeMark(theme string) string {
	return map[string]string{"system": "◐", "light": "○", "dark": "●"}[theme]
}
