package recording

import "testing"

func TestUUID(t *testing.T) {
	for _, c := range []struct{ id, want string }{
		{"AAAAAAAAQACAAAAAAAAACw==", "00000000-0000-4000-8000-00000000000b"},
		{"00000000-0000-4000-8000-00000000000D", "00000000-0000-4000-8000-00000000000D"},
		{"AAAAAAAAQACAAAAAAAAACw", "AAAAAAAAQACAAAAAAAAACw"},
		{"AAAAAAAAQACAAAAAAAAA!w==", "AAAAAAAAQACAAAAAAAAA!w=="},
		{"", ""},
	} {
		if got := uuid([]byte(c.id)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.id, got, c.want)
		}
	}
}
