package transport

import (
	"crypto/sha256"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Protocol is what both sides name in the handshake of TLS (ALPN).
const Protocol = "martlet/1"

// Security is how a server proves who it is over TLS, and how this client does. There is no way to leave the first out.
type Security struct {
	// CAFile is the PEM file of the authorities to trust; the system's without it.
	CAFile string
	// CertificateFile and KeyFile are who this client is.
	CertificateFile, KeyFile string
	// Fingerprint accepts exactly the certificate with this SHA-256, and no other.
	Fingerprint string
	// ServerName is what the certificate has to bear; the URL's host without it.
	ServerName string
}

// configuration makes Go's settings of these.
func (s Security) configuration(host string) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{Protocol}, ServerName: host}
	if s.ServerName != "" {
		config.ServerName = s.ServerName
	}
	if s.CAFile != "" {
		content, err := os.ReadFile(s.CAFile)
		if err != nil {
			return nil, err
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(content) {
			return nil, fmt.Errorf("%s holds no certificate in PEM", s.CAFile)
		}
	}
	if s.CertificateFile != "" {
		certificate, err := tls.LoadX509KeyPair(s.CertificateFile, s.KeyFile)
		if err != nil {
			return nil, err
		}
		config.Certificates = []tls.Certificate{certificate}
	}
	var expected []byte
	if s.Fingerprint != "" {
		var err error
		if expected, err = parseFingerprint(s.Fingerprint); err != nil {
			return nil, err
		}
		// The certificate is compared as a whole, below.
		config.InsecureSkipVerify = true
	}
	config.VerifyConnection = func(state tls.ConnectionState) error { return verify(state, expected) }
	return config, nil
}

// verify looks at what the handshake agreed on, before anything is said.
func verify(state tls.ConnectionState, fingerprint []byte) error {
	if fingerprint != nil {
		found := sha256.Sum256(state.PeerCertificates[0].Raw)
		if subtle.ConstantTimeCompare(found[:], fingerprint) != 1 {
			return fmt.Errorf("the server's certificate has another fingerprint, %x", found)
		}
	}
	if state.NegotiatedProtocol != Protocol {
		return errors.New("the server did not choose the protocol " + Protocol + "; is it a Martlet server?")
	}
	return nil
}

// parseFingerprint reads the 32 bytes of a SHA-256 in hexadecimal digits, with or without colons.
func parseFingerprint(text string) ([]byte, error) {
	digest, err := hex.DecodeString(strings.ReplaceAll(text, ":", ""))
	if err != nil || len(digest) != sha256.Size {
		return nil, errors.New("the fingerprint is not the SHA-256 of a certificate: it has 64 hexadecimal digits")
	}
	return digest, nil
}
