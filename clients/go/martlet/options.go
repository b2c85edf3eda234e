package martlet

import (
	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martletpb"
)

// Options are how a connection is opened. The zero value is good for a server of this machine.
type Options struct {
	// Create makes the database where it does not exist.
	Create bool
	// Setup is CREATE TEMPORARY VIEW and TRIGGER, which all statements of the connection see.
	Setup []*martletpb.Statement
	// Token says who asks. It goes over TLS, over Unix sockets and to this machine's own addresses, and nowhere else.
	Token string
	// CAFile is the PEM file of the authorities to trust; the system's without it.
	CAFile string
	// CertificateFile and KeyFile are the PEM files of who this client is.
	CertificateFile, KeyFile string
	// Fingerprint accepts exactly the certificate with this SHA-256, and no other.
	Fingerprint string
	// ServerName is the name to verify in place of the URL's host.
	ServerName string
	// Window is how many bytes of rows may be on their way for one request; 0 is 256 KiB. A request whose rows nobody reads
	// holds no more than that here, and one batch.
	Window uint32
}

// windowDefault and windowMax bound Options.Window, in bytes.
const (
	windowDefault = 256 << 10
	windowMax     = 1 << 30
)

func (o Options) security() transport.Security {
	return transport.Security{
		CAFile: o.CAFile, CertificateFile: o.CertificateFile, KeyFile: o.KeyFile,
		Fingerprint: o.Fingerprint, ServerName: o.ServerName,
	}
}
