package main

import (
	"fmt"
	"sort"
	"strings"

	"martlet.internal/go/martlet"
	ast "martlet.internal/go/martletpb"
)

func setupsAreSeenByTheirOwnSessions(s *session) error {
	trigger := martlet.Raw("create temp trigger t after insert on conformance when new.v = 'seen' begin " +
		"insert into conformance(v) values ('noted'); end")
	// The second is longer than a hello may be.
	long := martlet.Raw("create temp view long as select '" + strings.Repeat("x", 40_000) + "' as v")
	insert := "insert into conformance(v) values ('seen')"
	for _, setup := range [][]*ast.Statement{{trigger}, {trigger, long}} {
		other, err := martlet.Open(s.ctx, s.url, martlet.Options{Setup: setup})
		if err != nil {
			return err
		}
		defer other.Close()
		if err := s.exec(other, insert); err != nil {
			return err
		}
	}
	if err := s.exec(s, insert); err != nil {
		return err
	}
	if err := s.expect(s, "select count(*) from conformance where v = 'noted'", one(int64(2))); err != nil {
		return err
	}
	for path, setup := range map[string][]*ast.Statement{
		"setup[1]": {trigger, martlet.Raw("select 1")}, "setup[0]": {martlet.Raw("create temp table t(a)")},
	} {
		_, err := martlet.Open(s.ctx, s.url, martlet.Options{Setup: setup})
		if failed := failure(err); failed.Path != path {
			return fmt.Errorf("%s of other statements: %w", path, failed)
		}
	}
	if failed := failure(s.exec(s, "create temp view v as select 1")); failed.Reason != "NOT_ALLOWED" {
		return fmt.Errorf("a temporary view on a connection that others share: %w", failed)
	}
	return nil
}

func databasesAreMadeRenamedAndDropped(s *session) error {
	const first, second = "conformance-made", "conformance-renamed"
	server, err := martlet.OpenServer(s.ctx, s.url, martlet.Options{})
	if err != nil {
		return err
	}
	defer server.Close()
	for _, name := range []string{first, second} {
		if err := server.DropDatabase(s.ctx, name, true); err != nil && failure(err).Reason != "UNKNOWN_DATABASE" {
			return err
		}
	}
	if err := server.CreateDatabase(s.ctx, first); err != nil {
		return err
	}
	if failed := failure(server.CreateDatabase(s.ctx, first)); failed.Code != martlet.CodeAlreadyExists {
		return fmt.Errorf("a database over another: %w", failed)
	}
	if err := server.RenameDatabase(s.ctx, first, second, false); err != nil {
		return err
	}
	names, err := s.names(server)
	if err != nil || !names[second] || names[first] {
		return fmt.Errorf("%v, %w", names, err)
	}
	open, err := martlet.Open(s.ctx, withDatabase(s.url, second), martlet.Options{})
	if err != nil {
		return err
	}
	defer open.Close()
	if err := open.Ping(s.ctx); err != nil {
		return err
	}
	if failed := failure(server.DropDatabase(s.ctx, second, false)); failed.Code != martlet.CodeFailedPrecondition {
		return fmt.Errorf("a database under a session: %w", failed)
	}
	if err := server.DropDatabase(s.ctx, second, true); err != nil {
		return err
	}
	if names, err = s.names(server); err != nil || names[second] {
		return fmt.Errorf("%v, %w", names, err)
	}
	_, err = martlet.Open(s.ctx, withDatabase(s.url, second), martlet.Options{})
	if failed := failure(err); failed.Code != martlet.CodeNotFound || failed.Reason != "UNKNOWN_DATABASE" {
		return fmt.Errorf("a database that is gone: %w", failed)
	}
	return nil
}

// names are those of the server's databases, which come in their order.
func (s *session) names(server *martlet.Server) (map[string]bool, error) {
	databases, err := server.Databases(s.ctx)
	if err != nil {
		return nil, err
	}
	if !sort.SliceIsSorted(databases, func(i, j int) bool { return databases[i].Name < databases[j].Name }) {
		return nil, fmt.Errorf("the names are not sorted")
	}
	names := map[string]bool{}
	for _, database := range databases {
		names[database.Name] = true
	}
	return names, nil
}
