package martlet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"martlet.internal/go/martletpb"
)

func TestAShapeIsRememberedAndItsBytesAreSentAgain(t *testing.T) {
	shapeID := []byte("0123456789abcdef")
	ctx, database := playing(t, Options{}, func(p *peer) {
		id, first := p.execute()
		p.send(id, &martletpb.ServerMessage{
			Columns: columns("a"), Rows: integers(1), Completion: &martletpb.Completion{Shape: shapeID},
		})
		id, second := p.execute()
		if string(second.GetShape()) != string(shapeID) || second.ColumnsVersion != 1 {
			t.Errorf("the second by its shape: %v", second)
		}
		p.send(id, &martletpb.ServerMessage{Rows: integers(2), Completion: &martletpb.Completion{}})
		id, _ = p.execute()
		p.send(id, &martletpb.ServerMessage{Error: &martletpb.Error{Code: 9, Reason: "UNPREPARED", Retryable: true}})
		again, third := p.execute()
		if again == id || third.ColumnsVersion != 0 || string(third.GetStatement()) != string(first.GetStatement()) {
			t.Errorf("the third with its bytes: %v", third)
		}
		p.send(again, &martletpb.ServerMessage{
			Columns: columns("b"), Rows: integers(3), Completion: &martletpb.Completion{Shape: shapeID},
		})
		p.wait()
	})
	for number, name := range []string{"a", "a", "b"} {
		rows, err := database.Query(ctx, Raw("select ?1"), number)
		if err != nil {
			t.Fatal(err)
		}
		if rows.Columns()[0].Name != name || !rows.Next() || rows.Values()[0] != int64(number+1) || rows.Next() {
			t.Errorf("%v %v", rows.Columns(), rows.Values())
		}
	}
}

func TestShapesAreBounded(t *testing.T) {
	var known shapes
	for i := 0; i < 3*shapesMax; i++ {
		known.remember([]byte(fmt.Sprint(i)), shape{bytes: 100})
	}
	if len(known.known) > shapesMax {
		t.Error(len(known.known))
	}
	for i := 0; i < 100; i++ {
		known.remember([]byte(fmt.Sprint(i)+strings.Repeat("x", 1<<20)), shape{})
	}
	if known.bytes > shapesBytesMax+1<<20 {
		t.Error(known.bytes)
	}
	for statement := range known.known {
		known.forget([]byte(statement))
	}
	if known.bytes != 0 {
		t.Error(known.bytes)
	}
}

func TestRequestsWaitForTheirTurn(t *testing.T) {
	release := make(chan struct{})
	hello := &martletpb.HelloReply{Protocol: 1, RequestsMax: 1}
	ctx, database := opened(t, fakeServer(t, hello, func(p *peer) {
		id, _ := p.execute()
		<-release
		p.send(id, &martletpb.ServerMessage{Completion: &martletpb.Completion{}})
		id, _ = p.execute()
		p.send(id, &martletpb.ServerMessage{Completion: &martletpb.Completion{RowsChanged: 2}})
		p.wait()
	}), Options{})
	first := make(chan error)
	go func() {
		_, err := database.Exec(ctx, Raw("select 1"))
		first <- err
	}()
	for len(database.slots) == 0 {
		time.Sleep(time.Millisecond)
	}
	short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
	defer cancel()
	_, err := database.Exec(short, Raw("select 2"))
	check(t, err, ReasonDeadline, false, false)
	close(release)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if done, err := database.Exec(ctx, Raw("select 3")); err != nil || done.RowsChanged != 2 {
		t.Error(done, err)
	}
}

func TestWhatCannotBeSentIsNotSent(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		if _, execute := p.execute(); execute != nil {
			t.Errorf("%.100v was sent", execute)
		}
	})
	_, err := database.Exec(ctx, Raw("select ?1"), strings.Repeat("x", 1<<20))
	check(t, err, ReasonLimit, false, false)
	for _, value := range []any{math.NaN(), "\xff", struct{}{}} {
		_, err = database.Exec(ctx, Raw("select ?1"), value)
		check(t, err, ReasonMalformed, false, false)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	_, err = database.Exec(over, Raw("select 1"))
	check(t, err, ReasonCancelled, false, false)
	if len(database.slots) != 0 {
		t.Error(len(database.slots))
	}
}

func TestADeadlineTravels(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		for _, most := range []uint32{10_001, 5_001} {
			id, execute := p.execute()
			if execute.DeadlineMs == 0 || execute.DeadlineMs > most || !execute.DeadlineMayShrink {
				t.Errorf("%d ms of %d", execute.DeadlineMs, most)
			}
			p.send(id, &martletpb.ServerMessage{Completion: &martletpb.Completion{}})
		}
		id, execute := p.execute()
		if execute.DeadlineMs != 0 {
			t.Errorf("%d ms without a deadline", execute.DeadlineMs)
		}
		p.send(id, &martletpb.ServerMessage{Completion: &martletpb.Completion{}})
		p.wait()
	})
	short, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for _, one := range []context.Context{ctx, short, context.Background()} {
		if _, err := database.Exec(one, Raw("select 1")); err != nil {
			t.Error(err)
		}
	}
}

// The server hears of a cancel, and its last word is what the program is told; where none comes, nothing is known.
func TestACancelTravels(t *testing.T) {
	for name, example := range map[string]struct {
		lastWord       *martletpb.ServerMessage
		succeeds       bool
		outcomeUnknown bool
	}{
		"it was too late":  {&martletpb.ServerMessage{Completion: &martletpb.Completion{}}, true, false},
		"nothing happened": {&martletpb.ServerMessage{Error: &martletpb.Error{Code: 1, Reason: "CANCELLED"}}, false, false},
		"no word":          {nil, false, true},
	} {
		example := example
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(context.Background())
			_, database := playing(t, Options{}, func(p *peer) {
				id, _ := p.execute()
				stop()
				if cancel := p.next(); cancel.GetCancel() == nil || cancel.RequestId != id {
					t.Errorf("%v", cancel)
				}
				if example.lastWord != nil {
					p.send(id, example.lastWord)
				}
				p.wait()
			})
			_, err := database.Exec(ctx, Raw("insert into t values (1)"))
			if example.succeeds {
				if err != nil {
					t.Error(err)
				}
				return
			}
			check(t, err, ReasonCancelled, false, example.outcomeUnknown)
		})
	}
}

func TestRowsThatNobodyReadsHoldNobodyElse(t *testing.T) {
	ctx, database := playing(t, Options{Window: 100}, func(p *peer) {
		id, _ := p.execute()
		p.send(id, &martletpb.ServerMessage{Columns: columns("a"), Rows: integers(make([]int64, 100)...)})
		ping := p.next()
		if ping.GetPing() == nil {
			t.Errorf("%v before any row was read", ping)
		}
		p.send(ping.RequestId, &martletpb.ServerMessage{Pong: &martletpb.Pong{}})
		credit := p.next()
		if credit.RequestId != id || credit.GetCredit().GetBytes() != 8+8+800 {
			t.Errorf("%v", credit)
		}
		p.send(id, &martletpb.ServerMessage{Completion: &martletpb.Completion{}})
		p.wait()
	})
	rows, err := database.Query(ctx, Raw("select 1"))
	if err != nil {
		t.Fatal(err)
	}
	if err := database.Ping(ctx); err != nil {
		t.Error(err)
	}
	if found, err := rows.Collect(); err != nil || len(found) != 100 {
		t.Error(len(found), err)
	}
}

func TestAServerThatDoesNotReadHoldsNobodyBeyondTheirContext(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	ctx, database := playing(t, Options{}, func(p *peer) {
		<-release
		p.wait()
	})
	large := strings.Repeat("x", 1<<20-100)
	for try := 0; try < 4; try++ {
		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		_, err := database.Exec(short, Raw("select ?1"), large)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	}
}

func TestRowAndScanSayWhatIsWrong(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		for {
			id, execute := p.execute()
			if execute == nil {
				return
			}
			numbers := []int64{7}
			if strings.Contains(string(execute.GetStatement()), "none") {
				numbers = nil
			}
			p.send(id, &martletpb.ServerMessage{
				Columns: columns("a"), Rows: integers(numbers...), Completion: &martletpb.Completion{},
			})
		}
	})
	var number int64
	var text string
	if err := database.QueryRow(ctx, Raw("some")).Scan(&number); err != nil || number != 7 {
		t.Error(number, err)
	}
	if err := database.QueryRow(ctx, Raw("none")).Scan(&number); err != ErrNoRows {
		t.Error(err)
	}
	check(t, database.QueryRow(ctx, Raw("some")).Scan(&text), ReasonMalformed, false, false)
	check(t, database.QueryRow(ctx, Raw("some")).Scan(&number, &number), ReasonMalformed, false, false)
	rows, err := database.Query(ctx, Raw("some"))
	if err != nil {
		t.Fatal(err)
	}
	check(t, rows.Scan(&number), ReasonMalformed, false, false)
	rows.Close()
	if rows.Next() || rows.Values() != nil || rows.Err() != nil {
		t.Error("rows that were left have one more")
	}
}
