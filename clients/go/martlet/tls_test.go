package martlet

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"martlet.internal/go/martletpb"
)

// identity is a certificate that signs itself, and its files.
type identity struct {
	tls                      tls.Certificate
	certificateFile, keyFile string
}

func makeIdentity(t *testing.T, name string, addresses ...net.IP) identity {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{name},
		IPAddresses: addresses, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
	}
	content, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	made := identity{certificateFile: filepath.Join(t.TempDir(), "certificate"), keyFile: filepath.Join(t.TempDir(), "key")}
	for path, block := range map[string]*pem.Block{
		made.certificateFile: {Type: "CERTIFICATE", Bytes: content}, made.keyFile: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if made.tls, err = tls.LoadX509KeyPair(made.certificateFile, made.keyFile); err != nil {
		t.Fatal(err)
	}
	return made
}

// secured says hello over TLS to whoever comes, and keeps the tokens.
type secured struct {
	port   string
	mu     sync.Mutex
	tokens []string
}

func secureServer(t *testing.T, config *tls.Config) *secured {
	t.Helper()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	server := &secured{port: port}
	go func() {
		for {
			socket, err := listener.Accept()
			if err != nil {
				return
			}
			go server.greet(t, socket)
		}
	}()
	return server
}

func (s *secured) greet(t *testing.T, socket net.Conn) {
	defer socket.Close()
	p := &peer{t, socket, bufio.NewReader(socket)}
	request := p.next()
	if request == nil {
		return
	}
	s.mu.Lock()
	s.tokens = append(s.tokens, string(request.GetHello().GetCredential()))
	s.mu.Unlock()
	p.send(request.RequestId, &martletpb.ServerMessage{Hello: &martletpb.HelloReply{Protocol: 1}})
	p.wait()
}

func (s *secured) open(host string, options Options) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	database, err := Open(ctx, "martlet+tls://"+host+":"+s.port+"/shop", options)
	if err == nil {
		database.Close()
	}
	return err
}

func TestTLS(t *testing.T) {
	mine := makeIdentity(t, "localhost", net.IPv4(127, 0, 0, 1))
	other := makeIdentity(t, "elsewhere.example", net.IPv4(192, 0, 2, 7))
	config := func(by identity, protocols ...string) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{by.tls}, NextProtos: protocols}
	}
	digest := sha256.Sum256(other.tls.Certificate[0])
	pin := hex.EncodeToString(digest[:])
	asking := config(mine, "martlet/1")
	asking.ClientAuth, asking.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
	certificate, err := x509.ParseCertificate(other.tls.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	asking.ClientCAs.AddCert(certificate)

	good, elsewhere := secureServer(t, config(mine, "martlet/1")), secureServer(t, config(other, "martlet/1"))
	asks, plain := secureServer(t, asking), secureServer(t, config(mine))
	trusting := func(by identity) Options { return Options{CAFile: by.certificateFile, Token: "leaked"} }
	showing := func(certificateFile, keyFile string) Options {
		return Options{CAFile: mine.certificateFile, CertificateFile: certificateFile, KeyFile: keyFile}
	}
	named := Options{CAFile: other.certificateFile, ServerName: "elsewhere.example"}
	for name, example := range map[string]struct {
		server   *secured
		host     string
		options  Options
		succeeds bool
	}{
		"a trusted server":              {good, "localhost", Options{CAFile: mine.certificateFile, Token: "mlt_secret"}, true},
		"a trusted address":             {good, "127.0.0.1", Options{CAFile: mine.certificateFile}, true},
		"no authority":                  {good, "localhost", Options{Token: "leaked"}, false},
		"another authority":             {good, "localhost", trusting(other), false},
		"another name":                  {elsewhere, "localhost", trusting(other), false},
		"another address":               {elsewhere, "127.0.0.1", trusting(other), false},
		"the name that it has":          {elsewhere, "localhost", named, true},
		"a pinned certificate":          {elsewhere, "localhost", Options{Fingerprint: pin}, true},
		"another than the pinned":       {good, "localhost", Options{Fingerprint: pin, Token: "leaked"}, false},
		"no fingerprint":                {good, "localhost", Options{Fingerprint: "ab", Token: "leaked"}, false},
		"no file":                       {good, "localhost", Options{CAFile: "/nowhere", Token: "leaked"}, false},
		"a file without a certificate":  {good, "localhost", Options{CAFile: mine.keyFile, Token: "leaked"}, false},
		"another protocol":              {plain, "localhost", trusting(mine), false},
		"a certificate of the client":   {asks, "localhost", showing(other.certificateFile, other.keyFile), true},
		"no certificate of the client":  {asks, "localhost", Options{CAFile: mine.certificateFile}, false},
		"a certificate without its key": {asks, "localhost", showing(other.certificateFile, ""), false},
	} {
		err := example.server.open(example.host, example.options)
		if example.succeeds != (err == nil) {
			t.Errorf("%s: %v", name, err)
		}
		var found *Error
		if err != nil && !errors.As(err, &found) {
			t.Errorf("%s: %v is another error", name, err)
		} else if err != nil && name != "no certificate of the client" {
			// That one may find the connection closed before it hears why.
			check(t, err, ReasonTLS, false, false)
		}
	}
	for _, server := range []*secured{good, elsewhere, asks, plain} {
		server.mu.Lock()
		for _, token := range server.tokens {
			if token != "" && token != "mlt_secret" {
				t.Errorf("a server that was refused heard %s", token)
			}
		}
		server.mu.Unlock()
	}
}

func TestSettingsOfTLSNeedAURLOfTLS(t *testing.T) {
	_, err := Open(context.Background(), "martlet://localhost:1/shop", Options{CAFile: "authority.pem"})
	check(t, err, ReasonTLS, false, false)
	_, err = Open(context.Background(), "martlet://db.example/shop", Options{Token: "mlt_secret"})
	check(t, err, ReasonTLS, false, false)
}
