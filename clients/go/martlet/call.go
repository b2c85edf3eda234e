package martlet

import (
	"context"
	"math"
	"sync"
	"time"

	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martlet/internal/values"
	"martlet.internal/go/martletpb"
)

// lastWordWait is how long a request whose context is over waits for what the server says of it, so that its outcome is
// known where the server is there.
const lastWordWait = 250 * time.Millisecond

// How many messages without rows may answer a statement (columns and its end), a step, and what has one answer.
const (
	executeMessages     = 2
	messagesOfEachStep  = 2
	messagesOfOneAnswer = 1
)

// call is a request in flight: what has come for it and nobody has taken yet.
//
// Always true: what it holds is bounded, by the credit that it has given and by the messages that its request may have.
type call struct {
	connection *Conn
	id         uint32
	arrived    chan struct{}

	// Whether its context was over before its answer was here; the receiver's own.
	wasCancelled bool

	mu       sync.Mutex
	queue    []*martletpb.ServerMessage
	credit   int
	messages int
	isLeft   bool
}

// deliver takes a message from the connection. It fails where the server sends more than the request may have.
func (c *call) deliver(reply *martletpb.ServerMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reply.Rows != nil {
		// The last batch may go beyond the credit, by no more than a frame.
		if c.credit -= values.CreditOf(reply.Rows); c.credit <= -c.connection.frameBytesMax {
			return connectionError("The server sent more rows than it had credit for.", nil)
		}
	}
	if reply.Rows == nil || reply.Columns != nil {
		if c.messages--; c.messages < 0 {
			return connectionError("The server sent more answers than the request has.", nil)
		}
	}
	if c.isLeft {
		return nil
	}
	c.queue = append(c.queue, reply)
	select {
	case c.arrived <- struct{}{}:
	default:
	}
	return nil
}

// take gives the next message that is here, or nil.
func (c *call) take() *martletpb.ServerMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.queue) == 0 {
		return nil
	}
	reply := c.queue[0]
	c.queue[0] = nil
	c.queue = c.queue[1:]
	return reply
}

// receive waits for the next message. An error of the request as a whole is its error. Where the context is over the
// server is told so, and its last word is given if it comes at once.
func (c *call) receive(ctx context.Context) (*martletpb.ServerMessage, error) {
	reply := (*martletpb.ServerMessage)(nil)
	if ctx.Err() == nil {
		reply = c.wait(ctx.Done())
	}
	if reply == nil && ctx.Err() != nil {
		if reply = c.cancel(); reply == nil {
			return nil, contextError(ctx, true)
		}
	}
	if reply == nil {
		return nil, c.connection.failure.afterSending()
	}
	if reply.Error != nil && reply.Step == 0 {
		if c.wasCancelled && reply.Error.Reason == ReasonCancelled {
			return nil, contextError(ctx, reply.Error.OutcomeUnknown)
		}
		return nil, serverError(reply.Error)
	}
	return reply, nil
}

// wait gives the next message, or nil where the connection has ended or `over` is first.
func (c *call) wait(over <-chan struct{}) *martletpb.ServerMessage {
	for {
		if reply := c.take(); reply != nil {
			return reply
		}
		select {
		case <-c.arrived:
		case <-over:
			return nil
		case <-c.connection.ended:
			return c.take()
		}
	}
}

// cancel tells the server that nobody waits any more, and gives its last word if that comes soon.
func (c *call) cancel() *martletpb.ServerMessage {
	c.wasCancelled = true
	c.connection.say(c.id, transport.Aside{Cancel: true})
	over := make(chan struct{})
	defer time.AfterFunc(lastWordWait, func() { close(over) }).Stop()
	for reply := c.wait(over); reply != nil; reply = c.wait(over) {
		if isEnd(reply) {
			return reply
		}
	}
	c.drop()
	return nil
}

// leave gives the request up.
func (c *call) leave() {
	c.connection.say(c.id, transport.Aside{Cancel: true})
	c.drop()
}

// drop takes no more of what comes.
func (c *call) drop() {
	c.mu.Lock()
	c.queue, c.isLeft = nil, true
	c.mu.Unlock()
}

// extend lets the server send so many bytes of rows more.
func (c *call) extend(bytes int) {
	c.mu.Lock()
	c.credit += bytes
	c.mu.Unlock()
	c.connection.say(c.id, transport.Aside{Credit: uint32(bytes)})
}

// isEnd is whether the message is the last that answers its request.
func isEnd(reply *martletpb.ServerMessage) bool {
	return reply.Step == 0 && (reply.Hello != nil || reply.Completion != nil || reply.Error != nil || reply.Pong != nil ||
		reply.Inspection != nil || reply.Databases != nil)
}

// deadlineMs is how long the context has, as the protocol says it; 0 where it has no deadline.
func deadlineMs(ctx context.Context) uint32 {
	deadline, ok := ctx.Deadline()
	if !ok {
		return 0
	}
	left := time.Until(deadline)/time.Millisecond + 1
	if left < 1 {
		return 1
	}
	if left > math.MaxUint32 {
		return math.MaxUint32
	}
	return uint32(left)
}
