package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"reflect"

	"martlet.internal/go/martlet"
	ast "martlet.internal/go/martletpb"
)

// session is the connection that a check works on.
type session struct {
	*martlet.Database
	ctx context.Context
	url string
}

// runner is a database or a transaction.
type runner interface {
	Exec(context.Context, *ast.Statement, ...any) (martlet.Result, error)
	Query(context.Context, *ast.Statement, ...any) (*martlet.Rows, error)
}

// all are the rows of SQL text or of a tree.
func (s *session) all(on runner, statement any, parameters ...any) ([][]any, error) {
	tree, ok := statement.(*ast.Statement)
	if !ok {
		tree = martlet.Raw(statement.(string))
	}
	rows, err := on.Query(s.ctx, tree, parameters...)
	if err != nil {
		return nil, err
	}
	return rows.Collect()
}

// expect fails unless the rows are exactly these.
func (s *session) expect(on runner, statement any, wanted [][]any, parameters ...any) error {
	found, err := s.all(on, statement, parameters...)
	if err == nil && !same(found, wanted) {
		err = fmt.Errorf("%v: %.200v and not %.200v", statement, found, wanted)
	}
	return err
}

// one is a row of one value.
func one(value any) [][]any { return [][]any{{value}} }

// exec runs SQL texts one after the other.
func (s *session) exec(on runner, texts ...string) error {
	for _, text := range texts {
		if _, err := on.Exec(s.ctx, martlet.Raw(text)); err != nil {
			return err
		}
	}
	return nil
}

// same is whether values are of the same types and the same; the sign of zero counts.
func same(found, wanted any) bool {
	if left, ok := found.(float64); ok {
		right, ok := wanted.(float64)
		return ok && math.Float64bits(left) == math.Float64bits(right)
	}
	if left, ok := found.([][]any); ok {
		right := wanted.([][]any)
		for i := range left {
			if len(left) != len(right) || len(left[i]) != len(right[i]) {
				return false
			}
			for j := range left[i] {
				if !same(left[i][j], right[i][j]) {
					return false
				}
			}
		}
		return len(left) == len(right)
	}
	return reflect.DeepEqual(found, wanted)
}

// failure is the error that a program finds, or one without reason where it finds none.
func failure(err error) *martlet.Error {
	var found *martlet.Error
	if errors.As(err, &found) {
		return found
	}
	return &martlet.Error{Message: fmt.Sprintf("another error: %v", err)}
}

// withDatabase is the same server's URL with another database.
func withDatabase(text, name string) string {
	parsed, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	if parsed.Scheme == "martlet+unix" {
		parsed.RawQuery = "db=" + name
	} else {
		parsed.Path = "/" + name
	}
	return parsed.String()
}
