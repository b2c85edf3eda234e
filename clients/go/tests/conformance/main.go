// What a client has to get right, against a running server:
//
//	go run ./clients/go/tests/conformance martlet://127.0.0.1:6278/conformance
//
// It prints a line for each check and exits with 1 if one failed. It uses the table conformance, which it drops first, and
// the databases conformance-made and conformance-renamed of the same server, which it drops too. The checks are those of
// clients/python/tests/conformance, under the same names, and what a client for goroutines has to get right besides.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"martlet.internal/go/martlet"
)

// check is one thing that a client has to get right.
type check struct {
	name string
	run  func(*session) error
}

var checks = []check{
	{"values come back", valuesComeBack},
	{"rows keep their types", rowsKeepTheirTypes},
	{"lists of any length", listsOfAnyLength},
	{"results larger than the credit", resultsLargerThanTheCredit},
	{"batches of nulls use up no credit for ever", batchesOfNullsUseUpNoCreditForEver},
	{"statements run while rows are read", statementsRunWhileRowsAreRead},
	{"a stream that is left ends at the server", aStreamThatIsLeftEndsAtTheServer},
	{"a write whose rows are left stays", aWriteWhoseRowsAreLeftStays},
	{"text that is not utf8 is an error", textThatIsNotUTF8IsAnError},
	{"shapes are remembered and forgotten", shapesAreRememberedAndForgotten},
	{"errors are structured", errorsAreStructured},
	{"batches refer to earlier steps", batchesReferToEarlierSteps},
	{"transactions commit and roll back", transactionsCommitAndRollBack},
	{"savepoints undo their own", savepointsUndoTheirOwn},
	{"setups are seen by their own sessions", setupsAreSeenByTheirOwnSessions},
	{"databases are made renamed and dropped", databasesAreMadeRenamedAndDropped},
	{"many goroutines use one connection", manyGoroutinesUseOneConnection},
	{"a context ends what it is for and nothing else", aContextEndsWhatItIsFor},
}

func main() {
	url := "martlet://127.0.0.1:6278/conformance"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	failures := 0
	for _, check := range checks {
		if err := inSession(url, check.run); err != nil {
			failures++
			fmt.Printf("failed  %s: %v\n", check.name, err)
			continue
		}
		fmt.Println("ok     ", check.name)
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// inSession runs a check on a connection of its own, with a table that holds the edges of all types.
func inSession(url string, run func(*session) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	database, err := martlet.Open(ctx, url, martlet.Options{Create: true})
	if err != nil {
		return err
	}
	defer database.Close()
	s := &session{Database: database, ctx: ctx, url: url}
	if _, err := s.Exec(ctx, martlet.Raw("drop table if exists conformance")); err != nil {
		return err
	}
	if _, err := s.Exec(ctx, martlet.Raw("create table conformance(id integer primary key, v)")); err != nil {
		return err
	}
	return run(s)
}
