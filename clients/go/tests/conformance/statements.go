package main

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martlet"
	ast "martlet.internal/go/martletpb"
)

// forgetfulAfter is more statements than a server remembers.
const forgetfulAfter = 6_000

// A server forgets shapes when it has many. What was sent by its shape is sent again with its bytes then.
func shapesAreRememberedAndForgotten(s *session) error {
	if err := s.expect(s, selectParameter(), one(int64(1)), 1); err != nil {
		return err
	}
	other, err := martlet.Open(s.ctx, s.url, martlet.Options{})
	if err != nil {
		return err
	}
	defer other.Close()
	for number := 0; number < forgetfulAfter; number++ {
		if err := s.exec(other, fmt.Sprintf("select %d", number)); err != nil {
			return err
		}
	}
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(selectParameter())
	if err != nil {
		return err
	}
	id := sha256.Sum256(content)
	execute := &ast.Execute{Source: &ast.Execute_Shape{Shape: id[:16]}}
	_, err = other.Ask(s.ctx, &ast.ClientMessage{Kind: &ast.ClientMessage_Execute{Execute: execute}})
	if failed := failure(err); failed.Reason != "UNPREPARED" {
		return fmt.Errorf("the server has not forgotten the shape: %w", failed)
	}
	return s.expect(s, selectParameter(), one(int64(7)), 7)
}

func errorsAreStructured(s *session) error {
	_, err := s.Exec(s.ctx, martlet.Raw("select nope from conformance"))
	failed := failure(err)
	if failed.Code != martlet.CodeInvalidArgument || failed.Retryable || failed.OutcomeUnknown {
		return fmt.Errorf("a column that is not there: %#v", failed)
	}
	insert := "insert into conformance(id) values (0)"
	if err := s.exec(s, insert); err != nil {
		return err
	}
	if failed = failure(s.exec(s, insert)); failed.Reason != "CONSTRAINT" {
		return fmt.Errorf("a key that is there already: %#v", failed)
	}
	return s.Ping(s.ctx)
}

func batchesReferToEarlierSteps(s *session) error {
	results, err := s.Batch(s.ctx, true,
		martlet.Step{Statement: martlet.Raw("insert into conformance(v) values (?1)"), Parameters: []any{"parent"}},
		martlet.Step{
			Statement:  martlet.Raw("insert into conformance(v) values (?1) returning v"),
			Parameters: []any{martlet.LastInsertRowID(1)},
		})
	if err != nil {
		return err
	}
	if !same(results[1].Rows, one(results[0].LastInsertRowID)) {
		return fmt.Errorf("%v, and the row is %d", results[1].Rows, results[0].LastInsertRowID)
	}
	good := martlet.Step{Statement: martlet.Raw("insert into conformance(v) values (1)")}
	bad := martlet.Step{Statement: martlet.Raw("insert into conformance(id) values (1)")}
	if _, err := s.Batch(s.ctx, true, good, bad); err == nil {
		return errors.New("an atomic batch with a failing step succeeded")
	}
	if err := s.expect(s, "select count(*) from conformance", one(int64(2))); err != nil {
		return err
	}
	results, err = s.Batch(s.ctx, false, bad, good)
	if err != nil || failure(results[0].Err).Reason != "CONSTRAINT" || results[1].RowsChanged != 1 {
		return fmt.Errorf("a batch of steps of their own: %v, %w", results, err)
	}
	return nil
}

func transactionsCommitAndRollBack(s *session) error {
	count := "select count(*) from conformance where v = 'transaction'"
	for _, commits := range []bool{false, true} {
		transaction, err := s.Begin(s.ctx)
		if err != nil {
			return err
		}
		if err := s.exec(transaction, "insert into conformance(v) values ('transaction')"); err != nil {
			return err
		}
		if err := s.expect(transaction, count, one(int64(1))); err != nil {
			return err
		}
		wanted := int64(0)
		if commits {
			wanted, err = 1, transaction.Commit(s.ctx)
		} else {
			err = transaction.Rollback()
		}
		if err != nil {
			return err
		}
		if err := s.expect(s, count, one(wanted)); err != nil {
			return err
		}
		if failed := failure(transaction.Commit(s.ctx)); failed.Reason != martlet.ReasonTransactionEnded {
			return fmt.Errorf("a transaction that is over: %w", failed)
		}
	}
	return nil
}

func savepointsUndoTheirOwn(s *session) error {
	insert := "insert into conformance(v) values ('savepoint')"
	transaction, err := s.Begin(s.ctx)
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	for _, do := range []func() error{
		func() error { return s.exec(transaction, insert) },
		func() error { return transaction.Savepoint(s.ctx, 1) },
		func() error { return s.exec(transaction, insert) },
		func() error { return transaction.RollBackTo(s.ctx, 1) },
		func() error { return s.exec(transaction, insert) },
		func() error { return transaction.Release(s.ctx, 1) },
		func() error { return transaction.Commit(s.ctx) },
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return s.expect(s, "select count(*) from conformance where v = 'savepoint'", one(int64(2)))
}
