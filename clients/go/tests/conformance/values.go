package main

import (
	"fmt"
	"math"
	"strings"

	"martlet.internal/go/martlet"
	ast "martlet.internal/go/martletpb"
)

// edges are values of every type where something could go wrong.
var edges = []any{
	nil, int64(0), int64(1), int64(-1), int64(math.MaxInt64), int64(math.MinInt64), 0.0, math.Copysign(0, -1), 1.5, 1e308,
	5e-324, math.Inf(1), math.Inf(-1), "", "é 日本 👍", "a\x00b", []byte{}, []byte{0, 0xff}, strings.Repeat("x", 70_000),
	[]byte(strings.Repeat("y", 70_000)),
}

// selectParameter is SELECT ?1
func selectParameter() *ast.Statement {
	return selecting(&ast.Select{Columns: results(parameter(1))})
}

func selecting(tree *ast.Select) *ast.Statement {
	return &ast.Statement{Kind: &ast.Statement_Select{Select: tree}}
}

func results(expression *ast.Expression) []*ast.ResultColumn {
	return []*ast.ResultColumn{{Kind: &ast.ResultColumn_Expression{Expression: expression}}}
}

func parameter(index uint32) *ast.Expression {
	return &ast.Expression{Kind: &ast.Expression_Parameter{Parameter: &ast.Parameter{Index: index}}}
}

func listParameter(index uint32) *ast.Expression {
	return &ast.Expression{Kind: &ast.Expression_Parameter{Parameter: &ast.Parameter{Index: index, List: true}}}
}

func column(name string) *ast.Expression {
	return &ast.Expression{Kind: &ast.Expression_Column{Column: &ast.Column{Name: name}}}
}

// insertRows is INSERT INTO conformance (id, v) with all rows in one parameter.
func insertRows() *ast.Statement {
	return &ast.Statement{Kind: &ast.Statement_Insert{Insert: &ast.Insert{
		Into: &ast.Table{Name: "conformance"}, Columns: []string{"id", "v"},
		Source: &ast.Insert_Rows{Rows: &ast.Parameter{Index: 1, List: true, Columns: 2}},
	}}}
}

// selectListed is SELECT id FROM conformance WHERE id IN (a list)
func selectListed() *ast.Statement {
	in := &ast.Call{
		Callee:    &ast.Call_Operator{Operator: ast.Operator_OPERATOR_IN},
		Arguments: []*ast.Expression{column("id"), listParameter(1)},
	}
	return selecting(&ast.Select{
		Columns: results(column("id")),
		From:    &ast.TableSource{Kind: &ast.TableSource_Table{Table: &ast.Table{Name: "conformance"}}},
		Where:   &ast.Expression{Kind: &ast.Expression_Call{Call: in}},
	})
}

func valuesComeBack(s *session) error {
	for _, value := range edges {
		if err := s.expect(s, selectParameter(), one(value), value); err != nil {
			return err
		}
	}
	return nil
}

// numbered are the edges as rows of the table.
func numbered() [][]any {
	rows := make([][]any, len(edges))
	for index, value := range edges {
		rows[index] = []any{int64(index), value}
	}
	return rows
}

func rowsKeepTheirTypes(s *session) error {
	done, err := s.Exec(s.ctx, insertRows(), numbered())
	if err != nil || done.RowsChanged != int64(len(edges)) {
		return fmt.Errorf("%v, %w", done, err)
	}
	return s.expect(s, "select id, v from conformance order by id", numbered())
}

func listsOfAnyLength(s *session) error {
	if _, err := s.Exec(s.ctx, insertRows(), numbered()); err != nil {
		return err
	}
	for _, length := range []int{0, 1, 5, 50_000} {
		numbers := make([]int, length)
		for i := range numbers {
			numbers[i] = i
		}
		found, err := s.all(s, selectListed(), martlet.List(numbers))
		if err != nil {
			return err
		}
		seen := map[any]bool{}
		for _, row := range found {
			seen[row[0]] = true
		}
		wanted := length
		if wanted > len(edges) {
			wanted = len(edges)
		}
		if len(found) != wanted || len(seen) != wanted {
			return fmt.Errorf("%d rows of %d numbers", len(found), length)
		}
	}
	return nil
}

func textThatIsNotUTF8IsAnError(s *session) error {
	for _, sql := range []string{
		"select 1, cast(x'ff41' as text) as bad",
		"with recursive n(i) as (select 1 union all select i + 1 from n where i < 9999) " +
			"select i, case i when 9000 then cast(x'c328' as text) else 'é' end as bad from n",
	} {
		_, err := s.all(s, sql)
		if failed := failure(err); failed.Reason != "NOT_UTF8" || !strings.Contains(failed.Message, "(bad)") {
			return fmt.Errorf("%s: %w", sql, failed)
		}
	}
	bytesAndNUL := [][]any{{[]byte("\xff\x41"), "a\x00b"}}
	return s.expect(s, "select cast(cast(x'ff41' as text) as blob), char(97, 0, 98)", bytesAndNUL)
}
