package transport

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

func TestFramesComeBackAsTheyWentOut(t *testing.T) {
	var stream bytes.Buffer
	for id := uint32(1); id <= 3; id++ {
		frame, err := Frame(&martletpb.ServerMessage{RequestId: id, Pong: &martletpb.Pong{Payload: make([]byte, id)}}, 100)
		if err != nil {
			t.Fatal(err)
		}
		stream.Write(frame)
	}
	reader := NewFrameReader(&stream, 100)
	for id := uint32(1); id <= 3; id++ {
		reply := new(martletpb.ServerMessage)
		if err := reader.Read(reply); err != nil || reply.RequestId != id || len(reply.Pong.Payload) != int(id) {
			t.Error(reply, err)
		}
	}
	if err := reader.Read(new(martletpb.ServerMessage)); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

func TestAMessageThatIsTooLongIsNotFramed(t *testing.T) {
	message := &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Ping{Ping: &martletpb.Ping{Payload: make([]byte, 64)}}}
	if _, err := Frame(message, proto.Size(message)); err != nil {
		t.Error(err)
	}
	if _, err := Frame(message, proto.Size(message)-1); err == nil {
		t.Error("it was taken")
	}
}

func TestBadFramesAreErrors(t *testing.T) {
	for _, content := range [][]byte{
		{1, 0, 0, 0, 0}, {0, 0xff, 0xff, 0xff, 0xff}, {0, 0, 0, 0, 101}, {0, 0, 0, 0, 1, 0xff}, {0, 0, 0, 0, 9, 1}, {0, 0}, {},
	} {
		if err := NewFrameReader(bytes.NewReader(content), 100).Read(new(martletpb.ServerMessage)); err == nil {
			t.Error(content)
		}
	}
}
