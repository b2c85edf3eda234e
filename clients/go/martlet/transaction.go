package martlet

import (
	"context"
	"sync"
	"time"

	"martlet.internal/go/martletpb"
)

// rollbackWait bounds how long a rollback waits for its answer.
const rollbackWait = 5 * time.Second

// Tx is a transaction. Its statements run one after the other; read the rows of one to their end before the next.
type Tx struct {
	executor

	mu sync.Mutex
	// Why nothing more is done in it; nil while it is open.
	ended *Error
}

func (d *Database) begin(ctx context.Context, mode martletpb.Begin_Mode) (*Tx, error) {
	message := &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Begin{
		Begin: &martletpb.Begin{Mode: mode, DeadlineMs: deadlineMs(ctx)},
	}}
	tx := &Tx{executor: d.executor}
	tx.tx = tx
	sent, err := d.send(ctx, request{message: message, messages: messagesOfOneAnswer, opens: tx})
	if err != nil {
		tx.forget(nil)
		return nil, err
	}
	_, err = sent.receive(ctx)
	switch {
	case err == nil && !sent.wasCancelled:
		return tx, nil
	case sent.wasCancelled && (err == nil || isOutcomeUnknown(err)):
		// It is open or may open yet, and nobody else would end it. Nothing was written in it.
		err = contextError(ctx, false)
		d.spawn(func() { tx.Rollback() })
	default:
		tx.forget(nil)
	}
	return nil, err
}

// Commit makes what the transaction did last. The transaction is over afterwards, unless the error says that it was not sent
// or SQLite refused it, for a constraint for instance: then roll it back.
func (t *Tx) Commit(ctx context.Context) error { return t.finish(ctx, true) }

// Rollback undoes what the transaction did. It does nothing where it is over, so that it can be deferred; and it asks
// no context, because a transaction has to end when a context is over, too.
func (t *Tx) Rollback() error {
	if t.over() != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), rollbackWait)
	defer cancel()
	err := t.finish(ctx, false)
	if hasReason(err, reasonUnknownTransaction) || hasReason(err, ReasonTransactionEnded) {
		return nil
	}
	return err
}

func (t *Tx) finish(ctx context.Context, commit bool) error {
	err := t.ask(ctx, &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Finish{
		Finish: &martletpb.Finish{Transaction: t.transaction, Commit: commit},
	}})
	if err == nil || hasReason(err, reasonUnknownTransaction) || hasReason(err, ReasonTransactionEnded) {
		t.forget(&Error{
			Code: CodeFailedPrecondition, Reason: ReasonTransactionEnded, Message: "The transaction is over. Begin another one.",
		})
	}
	return err
}

// Savepoint marks a point that RollBackTo goes back to; the number is the caller's own.
func (t *Tx) Savepoint(ctx context.Context, number uint32) error {
	return t.savepoint(ctx, number, martletpb.Savepoint_ACTION_SET)
}

// Release forgets the savepoint; what was done since stays.
func (t *Tx) Release(ctx context.Context, number uint32) error {
	return t.savepoint(ctx, number, martletpb.Savepoint_ACTION_RELEASE)
}

// RollBackTo undoes what was done since the savepoint, which stays.
func (t *Tx) RollBackTo(ctx context.Context, number uint32) error {
	return t.savepoint(ctx, number, martletpb.Savepoint_ACTION_ROLL_BACK_TO)
}

func (t *Tx) savepoint(ctx context.Context, number uint32, action martletpb.Savepoint_Action) error {
	return t.ask(ctx, &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Savepoint{
		Savepoint: &martletpb.Savepoint{Transaction: t.transaction, Action: action, Number: number},
	}})
}

func (t *Tx) ask(ctx context.Context, message *martletpb.ClientMessage) error {
	if err := t.over(); err != nil {
		return err
	}
	_, err := t.connection.Ask(ctx, message)
	return err
}

// over is why nothing more can be done in the transaction. A statement outside of one has none.
func (t *Tx) over() error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return t.ended
	}
	return nil
}

// forget ends the transaction here; the first reason stays.
func (t *Tx) forget(reason *Error) {
	t.mu.Lock()
	if t.ended == nil {
		t.ended = reason
	}
	t.mu.Unlock()
	t.connection.mu.Lock()
	delete(t.connection.transactions, t.transaction)
	t.connection.mu.Unlock()
}

// transactionEnded is the server's word that it has rolled a transaction back.
func (c *Conn) transactionEnded(ended *martletpb.TransactionEnded) {
	c.mu.Lock()
	tx := c.transactions[ended.Transaction]
	c.mu.Unlock()
	if tx != nil && ended.Error != nil {
		tx.forget(serverError(ended.Error))
	}
}
