// Trees from Go: go run ./examples/trees martlet://127.0.0.1:6278/example
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"martlet.internal/go/martlet"
	ast "martlet.internal/go/martletpb"
)

func column(name string) *ast.Expression {
	return &ast.Expression{Kind: &ast.Expression_Column{Column: &ast.Column{Name: name}}}
}

func parameter(index uint32) *ast.Expression {
	return &ast.Expression{Kind: &ast.Expression_Parameter{Parameter: &ast.Parameter{Index: index}}}
}

func call(operator ast.Operator, arguments ...*ast.Expression) *ast.Expression {
	called := &ast.Call{Callee: &ast.Call_Operator{Operator: operator}, Arguments: arguments}
	return &ast.Expression{Kind: &ast.Expression_Call{Call: called}}
}

func result(expression *ast.Expression) *ast.ResultColumn {
	return &ast.ResultColumn{Kind: &ast.ResultColumn_Expression{Expression: expression}}
}

// insert is INSERT INTO "items" ("title", "price") … one parameter that holds all rows.
func insert() *ast.Statement {
	return &ast.Statement{Kind: &ast.Statement_Insert{Insert: &ast.Insert{
		Into:    &ast.Table{Name: "items"},
		Columns: []string{"title", "price"},
		Source:  &ast.Insert_Rows{Rows: &ast.Parameter{Index: 1, List: true, Columns: 2}},
	}}}
}

// expensive is SELECT "title", "price" FROM "items" WHERE "price" > ?1 ORDER BY "price" DESC
func expensive() *ast.Statement {
	return &ast.Statement{Kind: &ast.Statement_Select{Select: &ast.Select{
		Columns: []*ast.ResultColumn{result(column("title")), result(column("price"))},
		From:    &ast.TableSource{Kind: &ast.TableSource_Table{Table: &ast.Table{Name: "items"}}},
		Where:   call(ast.Operator_OPERATOR_GREATER, column("price"), parameter(1)),
		OrderBy: []*ast.OrderingTerm{
			{Expression: column("price"), Direction: ast.OrderingTerm_DIRECTION_DESCENDING},
		},
	}}}
}

func run(ctx context.Context, url string) error {
	database, err := martlet.Open(ctx, url, martlet.Options{Create: true})
	if err != nil {
		return err
	}
	defer database.Close()
	create := martlet.Raw("create table if not exists items(id integer primary key, title text, price real)")
	if _, err := database.Exec(ctx, create); err != nil {
		return err
	}
	done, err := database.Exec(ctx, insert(), [][]any{{"Tea", 4.5}, {"Coffee", 6.25}, {"Water", nil}})
	if err != nil {
		return err
	}
	fmt.Println(done.RowsChanged, "rows inserted")

	rows, err := database.Query(ctx, expensive(), 4.0)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var title string
		var price float64
		if err := rows.Scan(&title, &price); err != nil {
			return err
		}
		fmt.Println(title, price)
	}
	return rows.Err()
}

func main() {
	url := "martlet://127.0.0.1:6278/example"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := run(ctx, url); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
