package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"martlet.internal/go/martlet"
)

// numbers is SQL for the numbers up to a count, or for ever, and what is selected of them.
func numbers(count int, selected string) string {
	end := ""
	if count > 0 {
		end = fmt.Sprintf(" where i < %d", count)
	}
	return "with recursive n(i) as (select 1 union all select i + 1 from n" + end + ") select " + selected + " from n"
}

// The second credit is a byte, so that each batch overdraws it.
func resultsLargerThanTheCredit(s *session) error {
	narrow, err := martlet.Open(s.ctx, s.url, martlet.Options{Window: 1})
	if err != nil {
		return err
	}
	defer narrow.Close()
	for wanted, on := range map[int]runner{200_000: s, 20_000: narrow} {
		if err := s.sum(on, wanted); err != nil {
			return err
		}
	}
	return nil
}

// sum fails unless all numbers up to the wanted one arrive.
func (s *session) sum(on runner, wanted int) error {
	rows, err := on.Query(s.ctx, martlet.Raw(numbers(wanted, "i, 'row ' || i")))
	if err != nil {
		return err
	}
	count, total := 0, int64(0)
	for rows.Next() {
		var number int64
		var text string
		if err := rows.Scan(&number, &text); err != nil {
			return err
		}
		count, total = count+1, total+number
	}
	if count != wanted || total != int64(wanted)*int64(wanted+1)/2 {
		return fmt.Errorf("%d rows, %d, %w", count, total, rows.Err())
	}
	return rows.Err()
}

// Columns without bytes, where the account of the credit is all overhead.
func batchesOfNullsUseUpNoCreditForEver(s *session) error {
	rows, err := s.Query(s.ctx, martlet.Raw(numbers(50_000, "null"+strings.Repeat(", null", 99))))
	if err != nil {
		return err
	}
	count := 0
	for rows.Next() {
		count++
	}
	if count != 50_000 {
		return fmt.Errorf("%d rows, %w", count, rows.Err())
	}
	return rows.Err()
}

// No row of a stream is lost to what is asked meanwhile, be it another stream.
func statementsRunWhileRowsAreRead(s *session) error {
	for _, count := range []int{2_000, 100_000} {
		statement := martlet.Raw(numbers(count, "i, 'row ' || i"))
		first, err := s.Query(s.ctx, statement)
		if err != nil {
			return err
		}
		second, err := s.Query(s.ctx, statement)
		if err != nil {
			return err
		}
		for number := 1; number <= count; number++ {
			if !first.Next() || !second.Next() || !same(first.Values(), second.Values()) ||
				first.Values()[0] != int64(number) {
				return fmt.Errorf("row %d: %v, %v, %v", number, first.Values(), second.Values(), first.Err())
			}
			if number%1_000 == 0 {
				if err := s.expect(s, "select 7", one(int64(7))); err != nil {
					return err
				}
			}
		}
		if first.Next() || second.Next() || first.Err() != nil || second.Err() != nil {
			return fmt.Errorf("the streams do not end: %v, %v", first.Err(), second.Err())
		}
	}
	return nil
}

func aStreamThatIsLeftEndsAtTheServer(s *session) error {
	rows, err := s.Query(s.ctx, martlet.Raw(numbers(0, "i")))
	if err != nil || !rows.Next() {
		return fmt.Errorf("no row: %w", err)
	}
	rows.Close()
	if err := s.expect(s, "select 8", one(int64(8))); err != nil {
		return err
	}
	server, err := martlet.OpenServer(s.ctx, s.url, martlet.Options{})
	if err != nil {
		return err
	}
	defer server.Close()
	reads := int64(-1)
	for try := 0; try < 200 && reads != 0; try++ {
		inspection, err := server.Inspect(s.ctx, 0, 0)
		if err != nil {
			return err
		}
		for _, counter := range inspection.Counters {
			if counter.Name == "open_reads" {
				reads = counter.Value
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if reads != 0 {
		return fmt.Errorf("%d reads are open", reads)
	}
	return nil
}

func aWriteWhoseRowsAreLeftStays(s *session) error {
	update := martlet.Raw("update left_rows set n = n + 1 returning n, hex(zeroblob(200))")
	if err := s.exec(s, "drop table if exists left_rows", "create table left_rows(n)",
		"insert into left_rows "+numbers(20_000, "0")); err != nil {
		return err
	}
	leave := func(on runner) error {
		rows, err := on.Query(s.ctx, update)
		if err != nil {
			return err
		}
		return rows.Close()
	}
	if err := leave(s); err != nil {
		return err
	}
	transaction, err := s.Begin(s.ctx)
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	if err := leave(transaction); err != nil {
		return err
	}
	if err := s.exec(transaction, "insert into left_rows values (2)"); err != nil {
		return err
	}
	if err := transaction.Commit(s.ctx); err != nil {
		return err
	}
	return s.expect(s, "select min(n), max(n), count(*) from left_rows", [][]any{{int64(2), int64(2), int64(20_001)}})
}

func manyGoroutinesUseOneConnection(s *session) error {
	failures := make(chan error, 64)
	var group sync.WaitGroup
	for worker := 0; worker < cap(failures); worker++ {
		group.Add(1)
		go func(worker int64) {
			defer group.Done()
			for request := int64(0); request < 50; request++ {
				if err := s.expect(s, selectParameter(), one(worker*1_000+request), worker*1_000+request); err != nil {
					failures <- err
					return
				}
			}
		}(int64(worker))
	}
	group.Wait()
	close(failures)
	return <-failures
}

func aContextEndsWhatItIsFor(s *session) error {
	endless := martlet.Raw(numbers(0, "count(*)"))
	ctx, cancel := context.WithTimeout(s.ctx, 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := s.Exec(ctx, endless); !errors.Is(err, context.DeadlineExceeded) || failure(err).Reason != "DEADLINE" {
		return fmt.Errorf("at its deadline: %v", err)
	}
	ctx, cancel = context.WithCancel(s.ctx)
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := s.Exec(ctx, endless); !errors.Is(err, context.Canceled) || failure(err).OutcomeUnknown {
		return fmt.Errorf("when it was cancelled: %v", err)
	}
	if passed := time.Since(start); passed > 3*time.Second {
		return fmt.Errorf("they took %v", passed)
	}
	return s.expect(s, "select 9", one(int64(9)))
}
