// Package transport connects to a server: addresses, TLS and frames.
package transport

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// defaultPort is where a server listens if its URL names no port.
const defaultPort = "6278"

// Address is what a Martlet URL says.
type Address struct {
	// Network and Target are what net.Dial takes.
	Network, Target string
	// Host is the name that a certificate has to bear; empty for a Unix socket.
	Host string
	// Database may be empty.
	Database string
	// Encrypted is whether the URL asks for TLS.
	Encrypted bool
}

// ParseAddress reads a URL of one of the three schemes.
func ParseAddress(text string) (Address, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		return Address{}, err
	}
	switch {
	case parsed.Scheme == "martlet+unix" && parsed.Host == "" && parsed.Path != "":
		return Address{Network: "unix", Target: parsed.Path, Database: parsed.Query().Get("db")}, nil
	case (parsed.Scheme == "martlet" || parsed.Scheme == "martlet+tls") && parsed.Hostname() != "":
		port := parsed.Port()
		if port == "" {
			port = defaultPort
		}
		return Address{
			Network:   "tcp",
			Target:    net.JoinHostPort(parsed.Hostname(), port),
			Host:      parsed.Hostname(),
			Database:  strings.TrimLeft(parsed.Path, "/"),
			Encrypted: parsed.Scheme == "martlet+tls",
		}, nil
	}
	return Address{}, errors.New("a Martlet URL is martlet://host:port/database, " +
		"martlet+tls://host:port/database or martlet+unix:///path.sock?db=name")
}

// CheckSecrecy fails where a token would leave this machine in the clear.
func (a Address) CheckSecrecy() error {
	if a.Encrypted || a.Network == "unix" || isLoopback(a.Host) {
		return nil
	}
	return fmt.Errorf("the token is not sent to %s in the clear; connect to martlet+tls://", a.Host)
}

// isLoopback is whether the host is this machine's own: localhost, or an address of the loopback.
func isLoopback(host string) bool {
	if strings.EqualFold(strings.TrimRight(host, "."), "localhost") {
		return true
	}
	address := net.ParseIP(host)
	return address != nil && address.IsLoopback()
}
