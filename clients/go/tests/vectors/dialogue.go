package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"time"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

// runDialogue sends what the file says, and compares the answers.
func runDialogue(path, host string) error {
	var dialogue struct {
		Steps []struct {
			Send    any
			Answers []any
		}
	}
	if err := readJSON(path, &dialogue); err != nil {
		return err
	}
	socket, err := net.Dial("tcp", host)
	if err != nil {
		return err
	}
	defer socket.Close()
	if err := socket.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	for number, step := range dialogue.Steps {
		request := new(martletpb.ClientMessage)
		if err := parse(step.Send, request); err != nil {
			return err
		}
		if err := send(socket, request); err != nil {
			return err
		}
		if step.Answers == nil {
			continue
		}
		wanted, err := withBytes(step.Answers)
		if err != nil {
			return err
		}
		found, err := answers(socket, request.RequestId)
		if err != nil {
			return fmt.Errorf("step %d: %w", number+1, err)
		}
		if !holds(found, wanted) {
			text, _ := json.Marshal(found)
			return fmt.Errorf("step %d: %s", number+1, text)
		}
	}
	return nil
}

// send writes a message behind its prefix.
func send(socket net.Conn, message proto.Message) error {
	content, err := proto.Marshal(message)
	if err != nil {
		return err
	}
	frame := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(content)))
	_, err = socket.Write(append(frame, content...))
	return err
}

// receive reads the next message.
func receive(socket net.Conn) (*martletpb.ServerMessage, error) {
	var prefix [5]byte
	if _, err := io.ReadFull(socket, prefix[:]); err != nil {
		return nil, err
	}
	content := make([]byte, binary.BigEndian.Uint32(prefix[1:]))
	if _, err := io.ReadFull(socket, content); err != nil {
		return nil, err
	}
	reply := new(martletpb.ServerMessage)
	return reply, proto.Unmarshal(content, reply)
}

// answers are all messages that answer a request, as one for each step of a batch: a server may cut an answer anywhere.
func answers(socket net.Conn, id uint32) ([]any, error) {
	var order []any
	steps := map[uint32]map[string]any{}
	for {
		reply, err := receive(socket)
		if err != nil {
			return nil, err
		}
		if reply.RequestId != id {
			continue
		}
		part, err := print(reply)
		if err != nil {
			return nil, err
		}
		if steps[reply.Step] == nil {
			steps[reply.Step] = map[string]any{}
			order = append(order, steps[reply.Step])
		}
		for key, value := range part {
			steps[reply.Step][key] = value
		}
		isEnd := reply.Hello != nil || reply.Completion != nil || reply.Error != nil || reply.Pong != nil ||
			reply.Inspection != nil || reply.Databases != nil
		if isEnd && reply.Step == 0 {
			return order, nil
		}
	}
}
