package martlet

import (
	"bufio"
	"context"
	"net"
	"sync"

	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martletpb"
)

// Conn is one connection. Many goroutines may use it at once; their requests are in flight together.
//
// There is no pool and no reconnecting: a connection that is lost stays lost, and all its requests say so.
type Conn struct {
	socket net.Conn
	outbox *transport.Outbox
	// A slot for each request that the server takes at once.
	slots          chan struct{}
	frameBytesMax  int
	window         uint32
	server, sqlite string

	mu           sync.Mutex
	calls        map[uint32]*call
	transactions map[uint32]*Tx
	lastID       uint32
	// Why nothing new is sent: the server is about to go. Transactions that are open may end.
	closing *Error

	// Why the connection has ended, which is set before `ended` is closed.
	failure    *Error
	ended      chan struct{}
	endOnce    sync.Once
	goroutines sync.WaitGroup
}

// connect opens a connection and says hello.
func connect(ctx context.Context, url string, address transport.Address, options Options) (*Conn, error) {
	if options.Token != "" {
		if err := address.CheckSecrecy(); err != nil {
			return nil, callError(ReasonTLS, "The connection is refused", err)
		}
	}
	socket, err := transport.Dial(ctx, address, options.security())
	if err != nil {
		return nil, openingError(ctx, "Nobody answers at", url, err)
	}
	c := &Conn{
		socket: socket, outbox: transport.NewOutbox(), calls: map[uint32]*call{}, transactions: map[uint32]*Tx{}, lastID: helloID,
		ended: make(chan struct{}),
	}
	reader := transport.NewFrameReader(bufio.NewReaderSize(socket, 64<<10), frameBytesAssumed)
	greeted := transport.Interruptible(ctx, socket, func() error { return c.greet(address.Database, options, reader) })
	if greeted != nil {
		socket.Close()
		return nil, openingError(ctx, "There is no answer to the hello from", url, greeted)
	}
	reader.BytesMax = c.frameBytesMax
	c.spawn(func() { c.failFor(c.outbox.Run(socket, c.ended)) })
	c.spawn(func() { c.failFor(c.read(reader)) })
	return c, nil
}

// spawn runs a goroutine of the connection, which Close waits for; none where the connection has ended.
func (c *Conn) spawn(work func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hasEnded() {
		return
	}
	c.goroutines.Add(1)
	go func() {
		defer c.goroutines.Done()
		work()
	}()
}

func (c *Conn) hasEnded() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// read takes what the server sends, and never waits for those who take it from here.
func (c *Conn) read(reader *transport.FrameReader) error {
	for {
		reply := new(martletpb.ServerMessage)
		if err := reader.Read(reply); err != nil {
			return err
		}
		if err := c.dispatch(reply); err != nil {
			return err
		}
	}
}

// dispatch gives a message to its request.
func (c *Conn) dispatch(reply *martletpb.ServerMessage) error {
	if ended := reply.TransactionEnded; ended != nil {
		c.transactionEnded(ended)
		return nil
	}
	if reply.Closing != nil {
		c.mu.Lock()
		c.closing = connectionError("The server ends this connection: "+reply.Closing.Message, nil)
		c.mu.Unlock()
	}
	if reply.RequestId == 0 {
		if reply.Error != nil {
			return serverError(reply.Error)
		}
		return nil
	}
	c.mu.Lock()
	answered := c.calls[reply.RequestId]
	c.mu.Unlock()
	if answered == nil {
		return connectionError("The server answered a request that is not in flight.", nil)
	}
	if isEnd(reply) {
		c.release(answered)
	}
	return answered.deliver(reply)
}

// failFor ends the connection for what its reader or its writer met.
func (c *Conn) failFor(err error) {
	failure, ok := err.(*Error)
	if !ok {
		failure = connectionError("The connection is lost", err)
	}
	c.fail(failure)
}

// fail ends the connection; what is in flight hears why.
func (c *Conn) fail(failure *Error) {
	c.endOnce.Do(func() {
		c.mu.Lock()
		c.failure = failure
		close(c.ended)
		c.mu.Unlock()
		c.socket.Close()
	})
}

// Close ends the connection. Requests in flight end with an error, and their outcome is unknown.
func (c *Conn) Close() error {
	c.fail(connectionError("The connection is closed.", nil))
	c.goroutines.Wait()
	return nil
}

// Server is the version of the server, and of its SQLite.
func (c *Conn) Server() (server, sqlite string) { return c.server, c.sqlite }

// request is what is to be sent, and what may be answered.
type request struct {
	message *martletpb.ClientMessage
	// How many bytes of rows may come without more credit, and how many messages without rows.
	credit   uint32
	messages int
	// The transaction that it opens, or nil.
	opens *Tx
}

// send sends a request, as soon as the server takes one more. It gives the message its id.
func (c *Conn) send(ctx context.Context, wanted request) (*call, error) {
	if ctx.Err() != nil {
		return nil, contextError(ctx, false)
	}
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, contextError(ctx, false)
	case <-c.ended:
		return nil, c.failure.beforeSending()
	}
	begun, err := c.register(wanted)
	if err != nil {
		<-c.slots
		return nil, err
	}
	wanted.message.RequestId = begun.id
	frame, err := transport.Frame(wanted.message, c.frameBytesMax)
	if err != nil {
		c.release(begun)
		return nil, callError(ReasonLimit, "The request is not sent", err)
	}
	select {
	case c.outbox.Frames <- frame:
		return begun, nil
	case <-ctx.Done():
		c.release(begun)
		return nil, contextError(ctx, false)
	case <-c.ended:
		c.release(begun)
		return nil, c.failure.beforeSending()
	}
}

// register makes a request in flight, under an id that no other has.
func (c *Conn) register(wanted request) (*call, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing != nil && transactionOf(wanted.message) == 0 {
		return nil, c.closing
	}
	for {
		c.lastID++
		if c.lastID != 0 && c.calls[c.lastID] == nil && c.transactions[c.lastID] == nil {
			break
		}
	}
	begun := &call{
		connection: c, id: c.lastID, arrived: make(chan struct{}, 1), credit: int(wanted.credit), messages: wanted.messages,
	}
	c.calls[begun.id] = begun
	if wanted.opens != nil {
		// Before it is sent, because the server may end it at any time.
		wanted.opens.transaction = begun.id
		c.transactions[begun.id] = wanted.opens
	}
	return begun, nil
}

// transactionOf is the transaction that a request is a part of, or 0.
func transactionOf(message *martletpb.ClientMessage) uint32 {
	// At most one of these has a transaction.
	return message.GetExecute().GetTransaction() | message.GetBatch().GetTransaction() |
		message.GetFinish().GetTransaction() | message.GetSavepoint().GetTransaction()
}

// release takes a request out of those in flight.
func (c *Conn) release(ended *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[ended.id] == ended {
		delete(c.calls, ended.id)
		c.outbox.Forget(ended.id)
		<-c.slots
	}
}

// say tells the server something about a request, if that is in flight still.
func (c *Conn) say(id uint32, said transport.Aside) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[id] != nil {
		c.outbox.Add(id, said)
	}
}
