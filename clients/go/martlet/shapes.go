package martlet

import (
	"sync"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

// Column is what is known of a column of a result; Database, Table and Origin are empty where it is an expression.
type Column struct {
	Name, DeclaredType      string
	Database, Table, Origin string
}

// shape is what the server calls a statement's bytes, and the columns of its result.
type shape struct {
	id      []byte
	version uint64
	columns []Column
	// How much of the bound it takes.
	bytes int
}

// shapes are the statements that this connection's server knows, by their bytes.
//
// Always true: they are few enough; one of them goes where another has no room.
type shapes struct {
	mu    sync.Mutex
	known map[string]shape
	bytes int
}

// shapesMax and shapesBytesMax bound the statements that a connection remembers, by their number and their bytes.
const (
	shapesMax      = 1024
	shapesBytesMax = 8 << 20
)

func (s *shapes) find(statement []byte) (shape, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.known[string(statement)]
	return found, ok
}

func (s *shapes) remember(statement []byte, learnt shape) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(string(statement))
	learnt.bytes += len(statement)
	for other := range s.known {
		if len(s.known) < shapesMax && s.bytes+learnt.bytes <= shapesBytesMax {
			break
		}
		s.remove(other)
	}
	if s.known == nil {
		s.known = map[string]shape{}
	}
	s.known[string(statement)] = learnt
	s.bytes += learnt.bytes
}

func (s *shapes) forget(statement []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remove(string(statement))
}

func (s *shapes) remove(statement string) {
	s.bytes -= s.known[statement].bytes
	delete(s.known, statement)
}

// learn takes the columns that the server sent.
func (s *shape) learn(message *martletpb.Columns) {
	s.version, s.columns, s.bytes = message.Version, columnsOf(message), proto.Size(message)
}

func columnsOf(message *martletpb.Columns) []Column {
	columns := make([]Column, len(message.Columns))
	for i, column := range message.Columns {
		columns[i] = Column{
			Name: column.Name, DeclaredType: column.DeclaredType,
			Database: column.Database, Table: column.Table, Origin: column.Origin,
		}
	}
	return columns
}
