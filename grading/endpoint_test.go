package grading

import (
	"testing"

	"squall/grading/recording"
)

func TestPattern(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"/orders/550e8400-e29b-41d4-a716-446655440000/items/7?x=1", "/orders/{id}/items/{id}"},
		{"/v1/cafebabe", "/v1/{id}"},
		{"/v1/CafeBabe", "/v1/{id}"},
		{"/v1/facade", "/v1/facade"},
		{"/a/20-chars-with-digit1/", "/a/{id}/"},
		{"/a/20-chars-without-digits-xx", "/a/{id}"},
		{"/a/no-digits-in-this-long-segment", "/a/no-digits-in-this-long-segment"},
		{"/a/nineteen-chars-12345", "/a/{id}"},
		{"/a/nineteen-chars-1234", "/a/nineteen-chars-1234"},
		{"/a/dddddddd-aaaa-bbbb-cccc-eeeeeeeeeeee", "/a/{id}"},
		{"/a/dddddddd-aaaa-bbbb-cccc-eeeeeeeeeeeg", "/a/dddddddd-aaaa-bbbb-cccc-eeeeeeeeeeeg"},
		{"/a/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/a/{id}"},
		{"/a/7/b#/9", "/a/{id}/b"},
		{"/a/1x", "/a/1x"},
		{"/a/%31", "/a/%31"},
		{"/a/ééééééééé1ééééééééé", "/a/ééééééééé1ééééééééé"},
		{"/a/ééééééééé1éééééééééé", "/a/{id}"},
		{"//1//", "//{id}//"},
		{"", "/"},
		{"?q=1", "/"},
		{"42", "{id}"},
	} {
		if got := pattern(c.path); got != c.want {
			t.Errorf("%q: %q, want %q", c.path, got, c.want)
		}
	}
}

func TestEndpoint(t *testing.T) {
	for _, c := range []struct{ method, path, route, want string }{
		{"get", "/cart/7", "", "GET /cart/{id}"},
		{"GET", "/cart/7", "/cart/7", "GET /cart/7"},
		{"GET", "/cart/7", "/cart/:id?", "GET /cart/:id?"},
		{"GET", "", "", "GET /"},
	} {
		if got := endpointOf(&recording.Inbound{Method: c.method, Path: c.path, Route: c.route}); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
