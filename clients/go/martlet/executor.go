package martlet

import (
	"context"
	"errors"

	"martlet.internal/go/martletpb"
)

// executor runs statements, in a transaction or each in its own.
type executor struct {
	connection  *Conn
	shapes      *shapes
	transaction uint32
	// The transaction, which the server may have ended; nil outside of one.
	tx *Tx
}

// Result is what a statement did.
type Result struct {
	RowsChanged     int64
	LastInsertRowID int64
	// CommitSequence is the commit that a write made, or the last one that a read saw.
	CommitSequence uint64
}

// Exec runs a statement to its end. Rows that it returns are dropped.
func (e *executor) Exec(ctx context.Context, statement *martletpb.Statement, parameters ...any) (Result, error) {
	rows, err := e.run(ctx, true, statement, parameters)
	if err != nil {
		return Result{}, err
	}
	err = rows.drain()
	return rows.result, err
}

// Query runs a statement, and gives its rows as they arrive. Close them, or read them to their end: until then they hold
// a place among the requests of the connection, and a transaction's next statement waits for them.
//
// The context is theirs too. The server ends what takes longer than the context's deadline, or than 5 seconds without one.
func (e *executor) Query(ctx context.Context, statement *martletpb.Statement, parameters ...any) (*Rows, error) {
	return e.run(ctx, false, statement, parameters)
}

// QueryRow runs a statement for its first row, which Scan of what it gives reads. The others are left.
func (e *executor) QueryRow(ctx context.Context, statement *martletpb.Statement, parameters ...any) Row {
	rows, err := e.run(ctx, false, statement, parameters)
	return Row{rows, err}
}

// run sends a statement by its shape where the server knows it, and again with its bytes where it has forgotten it.
func (e *executor) run(
	ctx context.Context, dropsRows bool, statement *martletpb.Statement, parameters []any,
) (*Rows, error) {
	if err := e.tx.over(); err != nil {
		return nil, err
	}
	content, err := serialize(statement)
	if err != nil {
		return nil, err
	}
	encoded, err := encode(parameters)
	if err != nil {
		return nil, err
	}
	execute := &martletpb.Execute{
		Parameters: encoded, Transaction: e.transaction, Credit: e.connection.window,
		DeadlineMs: deadlineMs(ctx), DeadlineMayShrink: true,
	}
	message := &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Execute{Execute: execute}}
	rows := &Rows{ctx: ctx, window: int(e.connection.window), dropsRows: dropsRows, shapes: e.shapes, statement: content}
	if known, ok := e.shapes.find(content); ok {
		rows.shape = known
		execute.Source = &martletpb.Execute_Shape{Shape: known.id}
		execute.ColumnsVersion = known.version
		opened, err := rows.open(e.connection, message)
		if !hasReason(err, reasonUnprepared) {
			return opened, err
		}
		e.shapes.forget(content)
		execute.ColumnsVersion = 0
		*rows = Rows{ctx: ctx, window: rows.window, dropsRows: dropsRows, shapes: e.shapes, statement: content}
	}
	execute.Source = &martletpb.Execute_Statement{Statement: content}
	return rows.open(e.connection, message)
}

func isOutcomeUnknown(err error) bool {
	var found *Error
	return errors.As(err, &found) && found.OutcomeUnknown
}

func hasReason(err error, reason string) bool {
	var found *Error
	return errors.As(err, &found) && found.Reason == reason
}
