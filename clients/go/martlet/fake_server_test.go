package martlet

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"runtime"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

// peer is the server's side of a connection, in a test that plays the server.
type peer struct {
	t      *testing.T
	socket net.Conn
	reader *bufio.Reader
}

// next is what the client sends next; nil where it has gone.
func (p *peer) next() *martletpb.ClientMessage {
	var prefix [5]byte
	if _, err := io.ReadFull(p.reader, prefix[:]); err != nil {
		return nil
	}
	content := make([]byte, binary.BigEndian.Uint32(prefix[1:]))
	if _, err := io.ReadFull(p.reader, content); err != nil {
		return nil
	}
	request := new(martletpb.ClientMessage)
	if err := proto.Unmarshal(content, request); err != nil {
		p.t.Error(err)
	}
	return request
}

// execute is the next statement; nil where the client has gone.
func (p *peer) execute() (uint32, *martletpb.Execute) {
	for request := p.next(); request != nil; request = p.next() {
		if request.GetExecute() != nil {
			return request.RequestId, request.GetExecute()
		}
	}
	return 0, nil
}

func (p *peer) send(id uint32, reply *martletpb.ServerMessage) {
	reply.RequestId = id
	content, err := proto.Marshal(reply)
	if err != nil {
		p.t.Error(err)
	}
	p.raw(append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(content))), content...))
}

func (p *peer) raw(content []byte) { p.socket.Write(content) }

// wait ends when the client has gone.
func (p *peer) wait() { io.Copy(io.Discard, p.reader) }

// fakeServer says hello to one client and then plays the rest. It gives the URL.
func fakeServer(t *testing.T, hello *martletpb.HelloReply, play func(*peer)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		socket, err := listener.Accept()
		if err != nil {
			return
		}
		defer socket.Close()
		p := &peer{t, socket, bufio.NewReader(socket)}
		if hello != nil {
			p.send(p.next().GetRequestId(), &martletpb.ServerMessage{Hello: hello})
		}
		play(p)
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	return "martlet://" + listener.Addr().String() + "/shop"
}

// playing is a client of a server that is played.
func playing(t *testing.T, options Options, play func(*peer)) (context.Context, *Database) {
	t.Helper()
	hello := &martletpb.HelloReply{Protocol: 1, FrameBytesMax: 1 << 20, RequestsMax: 8}
	return opened(t, fakeServer(t, hello, play), options)
}

// opened is a client that is closed with the test, and may take ten seconds.
func opened(t *testing.T, url string, options Options) (context.Context, *Database) {
	t.Helper()
	goroutines := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	database, err := Open(ctx, url, options)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		database.Close()
		for try := 0; runtime.NumGoroutine() > goroutines && try < 400; try++ {
			time.Sleep(5 * time.Millisecond)
		}
		if left := runtime.NumGoroutine(); left > goroutines {
			t.Errorf("%d goroutines, and %d before", left, goroutines)
		}
	})
	return ctx, database
}

// check fails unless the error has this reason, and says so much of the outcome.
func check(t *testing.T, err error, reason string, retryable, outcomeUnknown bool) {
	t.Helper()
	var found *Error
	if !errors.As(err, &found) {
		t.Fatalf("%v and not %s", err, reason)
	}
	if found.Reason != reason || found.Retryable != retryable || found.OutcomeUnknown != outcomeUnknown {
		t.Errorf("%s, retryable %v, outcome unknown %v: %v", found.Reason, found.Retryable, found.OutcomeUnknown, err)
	}
}

// columns are a result's, of such names.
func columns(names ...string) *martletpb.Columns {
	message := &martletpb.Columns{Version: 1}
	for _, name := range names {
		message.Columns = append(message.Columns, &martletpb.ColumnInfo{Name: name})
	}
	return message
}

// integers is a batch of one column.
func integers(numbers ...int64) *martletpb.RowBatch {
	column := &martletpb.ColumnValues{Kind: martletpb.ColumnKind_COLUMN_KIND_INTEGER, Integers: numbers}
	return &martletpb.RowBatch{RowCount: uint32(len(numbers)), Columns: []*martletpb.ColumnValues{column}}
}
