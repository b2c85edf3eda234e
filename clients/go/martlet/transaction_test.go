package martlet

import (
	"context"
	"testing"

	"martlet.internal/go/martletpb"
)

func completion() *martletpb.ServerMessage {
	return &martletpb.ServerMessage{Completion: &martletpb.Completion{}}
}

func TestATransactionThatTheServerEndedSaysWhy(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		id := p.next().RequestId
		p.send(id, completion())
		p.send(id, &martletpb.ServerMessage{TransactionEnded: &martletpb.TransactionEnded{
			Transaction: id, Error: &martletpb.Error{Code: 10, Reason: "TRANSACTION_ENDED", Retryable: true},
		}})
		p.send(p.next().RequestId, &martletpb.ServerMessage{Pong: &martletpb.Pong{}})
		if request := p.next(); request != nil {
			t.Errorf("%v was sent", request)
		}
	})
	tx, err := database.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := database.Ping(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = tx.Exec(ctx, Raw("select 1"))
	check(t, err, ReasonTransactionEnded, true, false)
	check(t, tx.Commit(ctx), ReasonTransactionEnded, true, false)
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
	if len(database.transactions) != 0 {
		t.Error("it is remembered")
	}
}

// Nobody else would end a transaction that its program has given up before it was open.
func TestATransactionThatIsGivenUpIsRolledBack(t *testing.T) {
	finished := make(chan bool, 1)
	ctx, stop := context.WithCancel(context.Background())
	_, database := playing(t, Options{}, func(p *peer) {
		id := p.next().RequestId
		stop()
		p.next()
		finish := p.next()
		finished <- finish.GetFinish().GetTransaction() == id && !finish.GetFinish().GetCommit()
		p.send(id, completion())
		p.send(finish.GetRequestId(), completion())
		p.wait()
	})
	_, err := database.Begin(ctx)
	check(t, err, ReasonCancelled, false, false)
	if !<-finished {
		t.Error("it was not rolled back")
	}
}

func TestARollbackIsSentThoughTheContextIsOver(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		p.send(p.next().RequestId, completion())
		finish := p.next()
		if finish.GetFinish() == nil || finish.GetFinish().Commit {
			t.Errorf("%v", finish)
		}
		p.send(finish.RequestId, completion())
		p.wait()
	})
	short, cancel := context.WithCancel(ctx)
	tx, err := database.Begin(short)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	check(t, tx.Commit(short), ReasonCancelled, false, false)
	for try := 0; try < 2; try++ {
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

func TestACommitThatIsRefusedLeavesTheTransactionOpen(t *testing.T) {
	ctx, database := playing(t, Options{}, func(p *peer) {
		p.send(p.next().RequestId, completion())
		p.send(p.next().RequestId, &martletpb.ServerMessage{Error: &martletpb.Error{Code: 3, Reason: "CONSTRAINT"}})
		p.send(p.next().RequestId, completion())
		p.wait()
	})
	tx, err := database.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	check(t, tx.Commit(ctx), "CONSTRAINT", false, false)
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
}
