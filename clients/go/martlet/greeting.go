package martlet

import (
	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martletpb"
)

// The protocol, and its numbers that no server changes, in bytes.
const (
	protocolVersion = 1
	helloID         = 1
	helloBytesMax   = 16 << 10
	setupInHelloMax = 8 << 10
	setupBytesMax   = 512 << 10
)

// What a server allows that does not say it, and the most that this client believes one that does.
const (
	frameBytesAssumed  = 4 << 20
	frameBytesMax      = 64 << 20
	requestsAssumed    = 16
	requestsMax        = 1 << 16
	creditBytesAssumed = 64 << 20
)

// greet says hello and hears what the server allows. Nothing else uses the connection meanwhile.
func (c *Conn) greet(database string, options Options, reader *transport.FrameReader) error {
	hello := &martletpb.Hello{
		Protocol: protocolVersion, Database: []byte(database), Client: []byte("martlet-go"), Create: options.Create,
		Credential: []byte(options.Token),
	}
	setup := &martletpb.Setup{}
	bytes := 0
	for _, statement := range options.Setup {
		content, err := serialize(statement)
		if err != nil {
			return err
		}
		setup.Statements = append(setup.Statements, content)
		bytes += len(content)
	}
	// A long setup follows in a message of its own, because a hello has at most 16 KiB.
	if hello.SetupFollows = bytes > setupInHelloMax; !hello.SetupFollows {
		hello.Setup = setup.Statements
	}
	request := &martletpb.ClientMessage{RequestId: helloID, Kind: &martletpb.ClientMessage_Hello{Hello: hello}}
	if err := c.write(request, helloBytesMax); err != nil {
		return err
	}
	if hello.SetupFollows {
		request = &martletpb.ClientMessage{RequestId: helloID, Kind: &martletpb.ClientMessage_Setup{Setup: setup}}
		if err := c.write(request, setupBytesMax); err != nil {
			return err
		}
	}
	reply := new(martletpb.ServerMessage)
	if err := reader.Read(reply); err != nil {
		return err
	}
	switch {
	case reply.Error != nil:
		return serverError(reply.Error)
	case reply.Hello == nil || reply.RequestId != helloID || reply.Hello.Protocol != protocolVersion:
		return connectionError("The server did not answer the hello; is it a Martlet server?", nil)
	}
	c.agree(reply.Hello, options.Window)
	return nil
}

func (c *Conn) write(request *martletpb.ClientMessage, bytesMax int) error {
	frame, err := transport.Frame(request, bytesMax)
	if err != nil {
		return callError(ReasonLimit, "The hello is not sent", err)
	}
	_, err = c.socket.Write(frame)
	return err
}

// agree keeps what the server allows.
func (c *Conn) agree(hello *martletpb.HelloReply, window uint32) {
	c.server, c.sqlite = hello.Server, hello.Sqlite
	c.frameBytesMax = int(between(uint64(hello.FrameBytesMax), frameBytesAssumed, frameBytesMax))
	c.slots = make(chan struct{}, between(uint64(hello.RequestsMax), requestsAssumed, requestsMax))
	credit := between(hello.CreditBytesMax, creditBytesAssumed, windowMax)
	c.window = uint32(between(uint64(window), windowDefault, credit))
}

// between is the number, or `assumed` where it is 0, and at most `most`.
func between(number, assumed, most uint64) uint64 {
	if number == 0 {
		number = assumed
	}
	if number > most {
		return most
	}
	return number
}
