// A table, rows and a transaction: go run ./examples/start martlet://127.0.0.1:6278/shop
package main

import (
	"context"
	"fmt"
	"os"

	"martlet.internal/go/martlet"
)

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
	insert := martlet.Raw("insert into items(title, price) values (?1, ?2)")
	if _, err := database.Exec(ctx, insert, "Tea", 4.5); err != nil {
		return err
	}
	rows, err := database.Query(ctx, martlet.Raw("select title, price from items where price > ?1"), 4.0)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var title string
		var price *float64
		if err := rows.Scan(&title, &price); err != nil {
			return err
		}
		fmt.Println(title, *price)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	transaction, err := database.Begin(ctx)
	if err != nil {
		return err
	}
	defer transaction.Rollback()
	_, err = transaction.Exec(ctx, martlet.Raw("update items set price = price * 2"))
	return err
}

func main() {
	url := "martlet://127.0.0.1:6278/shop"
	if len(os.Args) > 1 {
		url = os.Args[1]
	}
	if err := run(context.Background(), url); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
