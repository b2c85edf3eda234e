package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

// readJSON reads a file's JSON as Go's values.
func readJSON(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(content, into)
}

// withBytes is the JSON with bytes as protobuf's JSON has them.
func withBytes(value any) (any, error) {
	switch value := value.(type) {
	case []any:
		replaced := make([]any, len(value))
		for i, item := range value {
			one, err := withBytes(item)
			if err != nil {
				return nil, err
			}
			replaced[i] = one
		}
		return replaced, nil
	case map[string]any:
		if content, err := bytesOf(value); content != nil || err != nil {
			return base64.StdEncoding.EncodeToString(content), err
		}
		replaced := map[string]any{}
		for key, item := range value {
			one, err := withBytes(item)
			if err != nil {
				return nil, err
			}
			replaced[key] = one
		}
		return replaced, nil
	}
	return value, nil
}

// bytesOf is what an object stands for that is one of the three kinds of bytes, and nil for any other.
func bytesOf(object map[string]any) ([]byte, error) {
	if len(object) != 1 {
		return nil, nil
	}
	if text, ok := object["utf8"].(string); ok {
		return []byte(text), nil
	}
	if digits, ok := object["hex"].(string); ok {
		return hex.DecodeString(digits)
	}
	if tree, ok := object["tree"]; ok {
		statement := new(martletpb.Statement)
		if err := parse(tree, statement); err != nil {
			return nil, err
		}
		return proto.MarshalOptions{Deterministic: true}.Marshal(statement)
	}
	return nil, nil
}

// parse makes a message of a file's JSON.
func parse(value any, message proto.Message) error {
	replaced, err := withBytes(value)
	if err != nil {
		return err
	}
	text, err := json.Marshal(replaced)
	if err != nil {
		return err
	}
	return protojson.Unmarshal(text, message)
}

// print makes JSON of a message, with the names that the files have.
func print(message proto.Message) (map[string]any, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(message)
	if err != nil {
		return nil, err
	}
	var found map[string]any
	return found, json.Unmarshal(text, &found)
}

// holds is whether an answer has all that the file says.
func holds(found, wanted any) bool {
	switch wanted := wanted.(type) {
	case map[string]any:
		object, ok := found.(map[string]any)
		for key, item := range wanted {
			value, there := object[key]
			ok = ok && there && holds(value, item)
		}
		return ok
	case []any:
		list, ok := found.([]any)
		if !ok || len(list) != len(wanted) {
			return false
		}
		for i := range wanted {
			if !holds(list[i], wanted[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(found, wanted)
}

// checkMessages fails unless the bytes that the file says are the message, and Go writes as many of them for it. They may
// stand in another order: Go writes a oneof behind the other fields.
func checkMessages(path string, empty func() proto.Message) error {
	var file struct {
		Messages []struct {
			What    string
			Message any
			Bytes   string
		}
	}
	if err := readJSON(path, &file); err != nil {
		return err
	}
	for _, vector := range file.Messages {
		built, read := empty(), empty()
		if err := parse(vector.Message, built); err != nil {
			return fmt.Errorf("%s: %w", vector.What, err)
		}
		wanted, err := hex.DecodeString(vector.Bytes)
		if err != nil {
			return err
		}
		content, err := proto.MarshalOptions{Deterministic: true}.Marshal(built)
		if err != nil || len(content) != len(wanted) {
			return fmt.Errorf("%s: its bytes are %x", vector.What, content)
		}
		if err := proto.Unmarshal(wanted, read); err != nil || !proto.Equal(read, built) {
			return fmt.Errorf("%s: the bytes are another message", vector.What)
		}
	}
	return nil
}
