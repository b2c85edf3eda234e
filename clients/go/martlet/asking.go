package martlet

import (
	"context"

	"martlet.internal/go/martletpb"
)

// Ask sends a request of any kind that is answered with one message, and gives that. The package gives it its id.
//
// For what is answered with rows, and for batches, there are methods.
func (c *Conn) Ask(ctx context.Context, message *martletpb.ClientMessage) (*martletpb.ServerMessage, error) {
	asked, err := c.send(ctx, request{message: message, messages: messagesOfOneAnswer})
	if err != nil {
		return nil, err
	}
	return asked.receive(ctx)
}

// Ping fails where the server does not answer.
func (c *Conn) Ping(ctx context.Context) error {
	_, err := c.Ask(ctx, &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Ping{Ping: &martletpb.Ping{}}})
	return err
}

// Inspect gives the server's counters, its latencies, and so many of its busiest shapes and sessions.
func (c *Conn) Inspect(ctx context.Context, shapes, sessions uint32) (*martletpb.Inspection, error) {
	reply, err := c.Ask(ctx, &martletpb.ClientMessage{
		Kind: &martletpb.ClientMessage_Inspect{Inspect: &martletpb.Inspect{Shapes: shapes, Sessions: sessions}},
	})
	return reply.GetInspection(), err
}
