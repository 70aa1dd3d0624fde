package recording

import "testing"

func TestLocation(t *testing.T) {
	for _, c := range []struct{ url, scheme, host, path string }{
		{"https://shop.test/search?q=a", "https", "shop.test", "/search"},
		{"http://user:secret@avatars.test:80/img/42.png#top", "http", "avatars.test:80", "/img/42.png"},
		{"http://a@b@shop.test", "http", "shop.test", ""},
		{"HTTP://shop.test?x=/y", "HTTP", "shop.test", ""},
		{"http://[2001:db8::1]:8080/a", "http", "[2001:db8::1]:8080", "/a"},
		{"/cart?to=http://x.test/y", "", "", "/cart"},
		{"/cart#a?b", "", "", "/cart"},
		{"//twice/x", "", "", "//twice/x"},
		{"/items:cancel", "", "", "/items:cancel"},
		{"data:text/plain,x", "data", "", "text/plain,x"},
		{"chrome-extension://abc/x.js", "chrome-extension", "abc", "/x.js"},
		{"shop.test:8080", "", "", "shop.test:8080"},
		{"", "", "", ""},
	} {
		l := locate([]byte(c.url))
		if string(l.scheme) != c.scheme || string(l.host) != c.host || string(l.path) != c.path {
			t.Errorf("%s: got %q %q %q", c.url, l.scheme, l.host, l.path)
		}
	}
}

func TestHostPort(t *testing.T) {
	for _, c := range []struct {
		host string
		port int64
		want string
	}{
		{"Payments.test", 8443, "payments.test:8443"},
		{"payments.test", 443, "payments.test"},
		{"payments.test", 80, "payments.test"},
		{"payments.test", 0, "payments.test"},
		{"payments.test", 65536, "payments.test"},
		{"payments.test:8443", 0, "payments.test:8443"},
		{"payments.test:443", 0, "payments.test"},
		{"payments.test:443", 9000, "payments.test:9000"},
		{"payments.test:", 0, "payments.test"},
		{"payments.test:https", 0, "payments.test:https"},
		{"192.0.2.9", 7001, "192.0.2.9:7001"},
		{"2001:db8::1", 7001, "[2001:db8::1]:7001"},
		{"2001:db8::1", 80, "[2001:db8::1]"},
		{"[2001:DB8::1]:80", 0, "[2001:db8::1]"},
		{"[2001:db8::1]", 8080, "[2001:db8::1]:8080"},
		{"urn:shop:stock", 0, "urn:shop:stock"},
		{"", 80, ""},
		{":8080", 0, ""},
	} {
		if got := string(hostPort([]byte(c.host), c.port)); got != c.want {
			t.Errorf("hostPort(%q, %d) = %q, want %q", c.host, c.port, got, c.want)
		}
	}
}
