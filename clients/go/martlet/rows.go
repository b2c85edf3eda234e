package martlet

import (
	"context"

	"martlet.internal/go/martlet/internal/values"
	"martlet.internal/go/martletpb"
)

// Rows are the rows of a statement, batch by batch as they arrive. One goroutine uses them.
//
//	for rows.Next() {
//		if err := rows.Scan(&title, &price); err != nil { … }
//	}
//	return rows.Err()
type Rows struct {
	ctx  context.Context
	call *call
	// How many bytes may be on their way, and how many of those that came have not been given back.
	window, consumed int
	dropsRows        bool

	shapes    *shapes
	statement []byte
	shape     shape

	batch  values.Batch
	row    int
	result Result
	err    error
	isOver bool
}

// open sends the request, and waits for its first rows or its end.
func (r *Rows) open(connection *Conn, message *martletpb.ClientMessage) (*Rows, error) {
	sent, err := connection.send(r.ctx, request{message: message, credit: connection.window, messages: executeMessages})
	if err != nil {
		return nil, err
	}
	r.call = sent
	if r.advance(); r.err != nil {
		return nil, r.err
	}
	return r, nil
}

// Next goes to the next row. False at the end, and where something is wrong: see Err.
func (r *Rows) Next() bool {
	for r.row++; r.row >= r.batch.Rows; r.row++ {
		if r.isOver {
			r.batch = values.Batch{}
			return false
		}
		r.advance()
	}
	return true
}

// advance takes the next batch of rows, and stands before its first; or the end.
func (r *Rows) advance() {
	r.giveBack(r.batch.Credit)
	r.batch, r.row = values.Batch{}, -1
	for !r.isOver && r.batch.Rows == 0 {
		reply, err := r.call.receive(r.ctx)
		if err == nil {
			err = r.accept(reply)
		}
		if err != nil {
			r.err, r.isOver = err, true
		}
	}
}

// accept takes what is in one message.
func (r *Rows) accept(reply *martletpb.ServerMessage) error {
	if reply.Columns != nil {
		r.shape.learn(reply.Columns)
		if r.shape.id != nil {
			r.shapes.remember(r.statement, r.shape)
		}
	}
	if reply.Rows != nil {
		batch, err := values.NewBatch(reply.Rows)
		if err != nil || batch.Columns != len(r.shape.columns) {
			failure := connectionError("The server sent rows that do not fit their columns.", err)
			r.call.connection.fail(failure)
			return failure.afterSending()
		}
		if r.batch = batch; r.dropsRows || batch.Rows == 0 {
			r.batch = values.Batch{}
			r.giveBack(batch.Credit)
		}
	}
	if reply.Completion == nil {
		return nil
	}
	r.isOver = true
	r.complete(reply.Completion)
	if r.call.wasCancelled && !r.dropsRows {
		// Its rows were dropped. Whether it wrote something, this does not say.
		return contextError(r.ctx, true)
	}
	return nil
}

func (r *Rows) complete(completion *martletpb.Completion) {
	r.result = resultOf(completion)
	if len(completion.Shape) > 0 && r.shapes != nil {
		r.shape.id = completion.Shape
		r.shapes.remember(r.statement, r.shape)
	}
}

func resultOf(completion *martletpb.Completion) Result {
	return Result{
		RowsChanged: completion.RowsChanged, LastInsertRowID: completion.LastInsertRowid,
		CommitSequence: completion.CommitSequence,
	}
}

// giveBack counts what was consumed, and lets the server send as much again when it is half of the window.
func (r *Rows) giveBack(bytes int) {
	r.consumed += bytes
	if !r.isOver && r.consumed > 0 && r.consumed >= r.window/2 {
		r.call.extend(r.consumed)
		r.consumed = 0
	}
}

// Scan writes the row's values where the targets point: *int64, *int, *float64, *string, *[]byte, *bool, *any, a
// pointer to a pointer, which NULL makes nil, or a sql.Scanner such as *sql.NullString.
func (r *Rows) Scan(targets ...any) error {
	if r.row < 0 || r.row >= r.batch.Rows {
		return callError(ReasonMalformed, "There is no row: call Next before Scan.", nil)
	}
	if len(targets) != r.batch.Columns {
		return callError(ReasonMalformed, "The row has another number of columns than there are targets.", nil)
	}
	for column, target := range targets {
		if err := r.batch.Cell(r.row, column).Scan(target); err != nil {
			return callError(ReasonMalformed, "Column "+r.shape.columns[column].Name+" cannot be read", err)
		}
	}
	return nil
}

// Values are the row's values: nil, int64, float64, string and []byte. Nil where there is no row.
func (r *Rows) Values() []any {
	if r.row < 0 || r.row >= r.batch.Rows {
		return nil
	}
	return r.batch.Row(r.row)
}

// Columns are the columns of the result; none where it has no rows.
func (r *Rows) Columns() []Column { return r.shape.columns }

// Err is what ended the rows before their end.
func (r *Rows) Err() error { return r.err }

// Result is what the statement did, when the rows have been read to their end.
func (r *Rows) Result() Result { return r.result }

// Close leaves the rows that have not been read: the query ends at the server. What a write did stays.
func (r *Rows) Close() error {
	if !r.isOver {
		r.isOver = true
		r.call.leave()
	}
	r.batch, r.row = values.Batch{}, -1
	return nil
}

// Collect reads all rows that are left.
func (r *Rows) Collect() ([][]any, error) {
	var rows [][]any
	for r.Next() {
		rows = append(rows, r.Values())
	}
	return rows, r.err
}

// drain reads to the end without a look.
func (r *Rows) drain() error {
	for !r.isOver {
		r.advance()
	}
	return r.err
}
