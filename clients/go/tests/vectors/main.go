// The dialogues of proto/vectors against a running server, from the repository's root:
//
//	go run ./clients/go/tests/vectors martlet://127.0.0.1:6278/vectors [FOLDER]
//
// Each file is one connection: messages that are sent, and what their answers hold. A message is protobuf's JSON, in which
// an object {"utf8": …}, {"hex": …} or {"tree": …} stands for bytes: of a text, of hexadecimal digits, of a serialized
// statement. An answer may hold more than the file says, but no other elements in a list. It prints a line for each file and
// exits with 1 if one failed. The database is made anew for each. The files in messages/ are single messages with their
// bytes; no server is asked. Nothing here uses the client but the databases that are dropped.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martlet"
	"martlet.internal/go/martletpb"
)

func main() {
	target, folder := "martlet://127.0.0.1:6278/vectors", "proto/vectors"
	if len(os.Args) > 1 {
		target = os.Args[1]
	}
	if len(os.Args) > 2 {
		folder = os.Args[2]
	}
	failures := 0
	report := func(title string, err error) {
		if err != nil {
			failures++
			fmt.Printf("failed  %s: %v\n", title, err)
			return
		}
		fmt.Println("ok     ", title)
	}
	client := func() proto.Message { return new(martletpb.ClientMessage) }
	server := func() proto.Message { return new(martletpb.ServerMessage) }
	report("messages/client.json", checkMessages(filepath.Join(folder, "messages/client.json"), client))
	report("messages/server.json", checkMessages(filepath.Join(folder, "messages/server.json"), server))
	paths, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	if len(paths) == 0 {
		report(folder, errors.New("there are no vectors"))
	}
	for _, path := range paths {
		report(filepath.Base(path), checkDialogue(path, target))
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// checkDialogue runs one file on a database that is not there before.
func checkDialogue(path, target string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	server, err := martlet.OpenServer(ctx, target, martlet.Options{})
	if err != nil {
		return err
	}
	defer server.Close()
	parsed, err := url.Parse(target)
	if err != nil {
		return err
	}
	var unknown *martlet.Error
	err = server.DropDatabase(ctx, strings.TrimLeft(parsed.Path, "/"), true)
	if err != nil && !(errors.As(err, &unknown) && unknown.Code == martlet.CodeNotFound) {
		return err
	}
	return runDialogue(path, parsed.Host)
}
