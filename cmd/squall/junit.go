package main

import "encoding/xml"

// junit is the report that CI systems read: a suite a file, a case an expectation.
type junit struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
}

// suite adds a file's cases, in their order.
func (j *junit) suite(file string, cases []junitCase) {
	s := junitSuite{Name: file, Tests: len(cases), Cases: cases}
	for i := range cases {
		cases[i].Class = file
		if cases[i].Failure != nil {
			s.Failures++
		}
		if cases[i].Error != nil {
			s.Errors++
		}
	}
	j.Tests += s.Tests
	j.Failures += s.Failures
	j.Errors += s.Errors
	j.Suites = append(j.Suites, s)
}

// write writes the whole document to a file.
func (j *junit) write(file string) error {
	body, err := xml.MarshalIndent(j, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(file, append([]byte(xml.Header), append(body, '\n')...))
}
