package transport

import "testing"

func TestAddresses(t *testing.T) {
	for text, wanted := range map[string]Address{
		"martlet://host/shop":             {"tcp", "host:6278", "host", "shop", false},
		"martlet+tls://host/shop":         {"tcp", "host:6278", "host", "shop", true},
		"martlet://[::1]:7/shop":          {"tcp", "[::1]:7", "::1", "shop", false},
		"martlet://host":                  {"tcp", "host:6278", "host", "", false},
		"martlet+unix:///a%20b.s?db=shop": {"unix", "/a b.s", "", "shop", false},
	} {
		if found, err := ParseAddress(text); err != nil || found != wanted {
			t.Errorf("%s: %v, %v", text, found, err)
		}
	}
	for _, text := range []string{"http://host/shop", "host/shop", "martlet:shop", "", "martlet+unix://", "martlet://h:x/"} {
		if found, err := ParseAddress(text); err == nil {
			t.Errorf("%s: %v", text, found)
		}
	}
}

func TestATokenIsNotSentInTheClear(t *testing.T) {
	for text, allowed := range map[string]bool{
		"martlet://db.example/shop": false, "martlet://10.0.0.1/shop": false, "martlet://[2001:db8::1]/shop": false,
		"martlet://127.1/shop": false, "martlet://localhost.example/shop": false,
		"martlet://localhost/shop": true, "martlet://LOCALHOST./shop": true, "martlet://127.8.8.8/shop": true,
		"martlet://[::1]/shop": true, "martlet+tls://db.example/shop": true, "martlet+unix:///s.sock": true,
	} {
		address, err := ParseAddress(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := address.CheckSecrecy(); (err == nil) != allowed {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestFingerprints(t *testing.T) {
	digits := "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF"
	if _, err := parseFingerprint(digits); err != nil {
		t.Error(err)
	}
	if _, err := parseFingerprint("00:" + digits[2:]); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "ab", "g" + digits[1:], digits + "00"} {
		if _, err := parseFingerprint(text); err == nil {
			t.Error(text)
		}
	}
}
