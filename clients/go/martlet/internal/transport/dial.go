package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"time"
)

// HandshakeError is a server that did not prove who it is, or that refused this client; another attempt ends alike.
type HandshakeError struct{ Cause error }

func (e *HandshakeError) Error() string { return e.Cause.Error() }

// Unwrap gives what Go's TLS says.
func (e *HandshakeError) Unwrap() error { return e.Cause }

// Dial connects, and over TLS verifies the server.
func Dial(ctx context.Context, address Address, security Security) (net.Conn, error) {
	if !address.Encrypted {
		if security != (Security{}) {
			return nil, &HandshakeError{errors.New("settings of TLS are for martlet+tls:// URLs")}
		}
		return new(net.Dialer).DialContext(ctx, address.Network, address.Target)
	}
	config, err := security.configuration(address.Host)
	if err != nil {
		return nil, &HandshakeError{err}
	}
	plain, err := new(net.Dialer).DialContext(ctx, address.Network, address.Target)
	if err != nil {
		return nil, err
	}
	encrypted := tls.Client(plain, config)
	if err := encrypted.HandshakeContext(ctx); err != nil {
		plain.Close()
		if isOfNetwork(ctx, err) {
			return nil, err
		}
		return nil, &HandshakeError{err}
	}
	return encrypted, nil
}

// isOfNetwork is whether a handshake failed for its connection.
func isOfNetwork(ctx context.Context, err error) bool {
	var operation *net.OpError
	return ctx.Err() != nil || errors.Is(err, io.EOF) || errors.As(err, &operation) && !IsAlert(err)
}

// IsAlert is whether the other side has refused this one, which in TLS 1.3 is heard after the handshake. Go says so in an
// error of the network.
func IsAlert(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "remote error"
}

// Interruptible runs what reads and writes the socket, and ends it when the context is over.
func Interruptible(ctx context.Context, socket net.Conn, run func() error) error {
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
			socket.SetDeadline(time.Unix(1, 0))
		case <-done:
		}
	}()
	err := run()
	close(done)
	<-watched
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
