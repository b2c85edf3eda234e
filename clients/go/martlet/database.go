// Package martlet is a client of the Martlet server: statements as trees or SQL text, rows of Go's values, transactions,
// batches, and the databases of a server. A connection is for many goroutines at once.
package martlet

import (
	"context"

	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martletpb"
)

// Database is a connection to one database.
type Database struct {
	*Conn
	executor
}

// Open connects to the database that the URL names: martlet://host:port/database, martlet+tls://host:port/database or
// martlet+unix:///path.sock?db=name. The context is for opening alone.
func Open(ctx context.Context, url string, options Options) (*Database, error) {
	address, err := transport.ParseAddress(url)
	if err != nil {
		return nil, callError(ReasonMalformed, "The URL is not understood", err)
	}
	connection, err := connect(ctx, url, address, options)
	if err != nil {
		return nil, err
	}
	return &Database{Conn: connection, executor: executor{connection: connection, shapes: new(shapes)}}, nil
}

// Begin opens a transaction that writes, when it is its turn. End it with Commit or Rollback.
func (d *Database) Begin(ctx context.Context) (*Tx, error) {
	return d.begin(ctx, martletpb.Begin_MODE_WRITE)
}

// BeginRead opens a transaction that reads: all of its statements see the database at one moment.
func (d *Database) BeginRead(ctx context.Context) (*Tx, error) {
	return d.begin(ctx, martletpb.Begin_MODE_READ)
}

// Check looks the database over, or its whole file; what is wrong is in the rows, whose columns are check, object, ok,
// message and value.
func (d *Database) Check(ctx context.Context, whole bool) (*Rows, error) {
	task := martletpb.Maintain_TASK_CHECK
	if whole {
		task = martletpb.Maintain_TASK_CHECK_WHOLE
	}
	return d.maintain(ctx, task)
}

// Unfence lets a database that the server has fenced take writes again.
func (d *Database) Unfence(ctx context.Context) error {
	rows, err := d.maintain(ctx, martletpb.Maintain_TASK_UNFENCE)
	if err != nil {
		return err
	}
	return rows.drain()
}

func (d *Database) maintain(ctx context.Context, task martletpb.Maintain_Task) (*Rows, error) {
	rows := &Rows{ctx: ctx, window: int(d.window)}
	return rows.open(d.Conn, &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Maintain{
		Maintain: &martletpb.Maintain{Task: task, DeadlineMs: deadlineMs(ctx), Credit: d.window},
	}})
}
