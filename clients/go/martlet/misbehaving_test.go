package martlet

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"martlet.internal/go/martletpb"
)

// A server that does not keep to the protocol costs the connection, and nothing else.
func TestAServerThatMisbehavesEndsTheConnection(t *testing.T) {
	done := &martletpb.Completion{}
	for name, answer := range map[string]func(p *peer, id uint32){
		"another kind of frame": func(p *peer, id uint32) { p.raw([]byte{1, 0, 0, 0, 0}) },
		"a frame too large":     func(p *peer, id uint32) { p.raw([]byte{0, 0xff, 0xff, 0xff, 0xff}) },
		"a frame above what the hello said": func(p *peer, id uint32) {
			p.send(id, &martletpb.ServerMessage{Closing: &martletpb.Closing{Message: strings.Repeat("x", 1<<20)}})
		},
		"no message": func(p *peer, id uint32) { p.raw([]byte{0, 0, 0, 0, 2, 0xff, 0xff}) },
		"half a frame": func(p *peer, id uint32) {
			p.raw([]byte{0, 0, 0, 0, 9, 1})
			p.socket.Close()
		},
		"a request that is not in flight": func(p *peer, id uint32) { p.send(id+1, &martletpb.ServerMessage{Completion: done}) },
		"rows without columns":            func(p *peer, id uint32) { p.send(id, &martletpb.ServerMessage{Rows: integers(1)}) },
		"rows of other columns": func(p *peer, id uint32) {
			p.send(id, &martletpb.ServerMessage{Columns: columns("a", "b"), Rows: integers(1)})
		},
		"malformed rows": func(p *peer, id uint32) {
			rows := integers(1, 2)
			rows.RowCount = 3
			p.send(id, &martletpb.ServerMessage{Columns: columns("a"), Rows: rows})
		},
		"columns without end": func(p *peer, id uint32) {
			for i := 0; i < 10; i++ {
				p.send(id, &martletpb.ServerMessage{Columns: columns("a")})
			}
		},
		"its end": func(p *peer, id uint32) { p.socket.Close() },
	} {
		answer := answer
		t.Run(name, func(t *testing.T) {
			ctx, database := playing(t, Options{}, func(p *peer) {
				id, _ := p.execute()
				answer(p, id)
				p.wait()
			})
			_, err := database.Query(ctx, Raw("select 1"))
			check(t, err, ReasonConnection, false, true)
			_, err = database.Query(ctx, Raw("select 1"))
			check(t, err, ReasonConnection, true, false)
		})
	}
}

func TestRowsBeyondTheCreditEndTheConnection(t *testing.T) {
	sent := make(chan struct{})
	ctx, database := playing(t, Options{Window: 1000}, func(p *peer) {
		id, _ := p.execute()
		p.send(id, &martletpb.ServerMessage{Columns: columns("a")})
		for i := 0; i < 20; i++ {
			p.send(id, &martletpb.ServerMessage{Rows: integers(make([]int64, 10_000)...)})
		}
		close(sent)
		p.wait()
	})
	rows, err := database.Query(ctx, Raw("select 1"))
	if err != nil {
		t.Fatal(err)
	}
	<-sent
	for <-database.ended; rows.Next(); {
	}
	check(t, rows.Err(), ReasonConnection, false, true)
}

func TestAStepThatTheBatchDoesNotHaveEndsTheConnection(t *testing.T) {
	for _, step := range []uint32{0, 2, 1 << 31} {
		ctx, database := playing(t, Options{}, func(p *peer) {
			p.send(p.next().GetRequestId(), &martletpb.ServerMessage{Step: step, Columns: columns("a")})
			p.wait()
		})
		_, err := database.Batch(ctx, true, Step{Statement: Raw("select 1")})
		check(t, err, ReasonConnection, false, true)
	}
}

func TestWhatTheServerSaysOfTheConnectionIsItsEnd(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		p.execute()
		p.send(0, &martletpb.ServerMessage{Error: &martletpb.Error{Code: 14, Reason: "SHUTTING_DOWN", Retryable: true}})
		p.wait()
	})
	_, err := database.Exec(ctx, Raw("select 1"))
	check(t, err, "SHUTTING_DOWN", false, true)
	_, err = database.Exec(ctx, Raw("select 1"))
	check(t, err, "SHUTTING_DOWN", true, false)
}

func TestAServerThatIsGoingAwayTakesNothingNew(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		id, _ := p.execute()
		p.send(0, &martletpb.ServerMessage{Closing: &martletpb.Closing{Message: "Bye."}})
		p.send(id, &martletpb.ServerMessage{Completion: &martletpb.Completion{RowsChanged: 3}})
		if _, more := p.execute(); more != nil {
			t.Error("a request was sent")
		}
	})
	done, err := database.Exec(ctx, Raw("update t set a = 1"))
	if err != nil || done.RowsChanged != 3 {
		t.Error(done, err)
	}
	_, err = database.Exec(ctx, Raw("select 1"))
	check(t, err, ReasonConnection, true, false)
}

func TestATransactionThatIsOpenEndsAtAServerThatIsGoingAway(t *testing.T) {
	answer := func(p *peer) *martletpb.ClientMessage {
		asked := p.next()
		if asked == nil {
			t.Error("nothing more was asked")
			return nil
		}
		p.send(asked.RequestId, &martletpb.ServerMessage{Completion: &martletpb.Completion{}})
		return asked
	}
	ctx, database := playing(t, Options{}, func(p *peer) {
		first, second := answer(p), answer(p)
		p.send(0, &martletpb.ServerMessage{Closing: &martletpb.Closing{Message: "Bye."}})
		for _, part := range []uint32{answer(p).GetExecute().GetTransaction(), answer(p).GetFinish().GetTransaction()} {
			if part != first.RequestId {
				t.Error("another transaction", part)
			}
		}
		if answer(p).GetFinish().GetTransaction() != second.RequestId {
			t.Error("the other transaction was not rolled back")
		}
		p.wait()
	})
	kept, err := database.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	left, err := database.BeginRead(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for {
		database.Conn.mu.Lock()
		closing := database.Conn.closing
		database.Conn.mu.Unlock()
		if closing != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	_, err = database.Exec(ctx, Raw("select 1"))
	check(t, err, ReasonConnection, true, false)
	if _, err = kept.Exec(ctx, Raw("select 1")); err != nil {
		t.Error(err)
	}
	if err = kept.Commit(ctx); err != nil {
		t.Error(err)
	}
	if err = left.Rollback(); err != nil {
		t.Error(err)
	}
}

func TestAHelloThatIsNotAnswered(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for name, example := range map[string]struct {
		play   func(*peer)
		reason string
	}{
		"refused": {func(p *peer) {
			p.send(p.next().RequestId, &martletpb.ServerMessage{Error: &martletpb.Error{Code: 5, Reason: "UNKNOWN_DATABASE"}})
		}, "UNKNOWN_DATABASE"},
		"another answer": {func(p *peer) {
			p.send(p.next().RequestId, &martletpb.ServerMessage{Pong: &martletpb.Pong{}})
		}, ReasonConnection},
		"another protocol": {func(p *peer) {
			p.send(p.next().RequestId, &martletpb.ServerMessage{Hello: &martletpb.HelloReply{Protocol: 2}})
		}, ReasonConnection},
		"another server": {func(p *peer) { p.raw([]byte("HTTP/1.1 400 Bad Request\r\n\r\n")) }, ReasonConnection},
		"the end":        {func(p *peer) {}, ReasonConnection},
	} {
		_, err := Open(ctx, fakeServer(t, nil, example.play), Options{})
		var found *Error
		if !errors.As(err, &found) || found.Reason != example.reason || found.OutcomeUnknown {
			t.Errorf("%s: %v", name, err)
		}
	}
	short, stop := context.WithTimeout(ctx, 20*time.Millisecond)
	defer stop()
	_, err := Open(short, fakeServer(t, nil, func(p *peer) { p.wait() }), Options{})
	if check(t, err, ReasonDeadline, false, false); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestNobodyIsThere(t *testing.T) {
	_, err := Open(context.Background(), "martlet+unix:///nowhere/martlet.sock?db=shop", Options{})
	if check(t, err, ReasonConnection, true, false); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "/nowhere/martlet.sock") {
		t.Error(err)
	}
	_, err = Open(context.Background(), "http://host/shop", Options{})
	check(t, err, ReasonMalformed, false, false)
}
