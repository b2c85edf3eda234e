package transport

import (
	"encoding/binary"
	"fmt"
	"io"

	"google.golang.org/protobuf/proto"
)

// prefixBytes is what stands before each message: a byte of flags, which is 0, and its length.
const prefixBytes = 5

// Frame is a message as it goes over the wire. It fails if the message is longer than the limit.
func Frame(message proto.Message, bytesMax int) ([]byte, error) {
	size := proto.Size(message)
	if size > bytesMax {
		return nil, fmt.Errorf("the message has %d bytes, and the server takes %d; send it in parts", size, bytesMax)
	}
	frame := make([]byte, prefixBytes, prefixBytes+size)
	frame, err := proto.MarshalOptions{}.MarshalAppend(frame, message)
	binary.BigEndian.PutUint32(frame[1:], uint32(len(frame)-prefixBytes))
	return frame, err
}

// FrameReader reads messages from a stream.
type FrameReader struct {
	// BytesMax is the longest message that is read.
	BytesMax int

	stream io.Reader
	buffer []byte
}

// NewFrameReader reads from the stream messages of at most so many bytes.
func NewFrameReader(stream io.Reader, bytesMax int) *FrameReader {
	return &FrameReader{stream: stream, BytesMax: bytesMax}
}

// Read reads one message. Nothing more can be read after it has failed.
func (r *FrameReader) Read(message proto.Message) error {
	var prefix [prefixBytes]byte
	if _, err := io.ReadFull(r.stream, prefix[:]); err != nil {
		return err
	}
	if prefix[0] != 0 {
		return fmt.Errorf("the server sent a frame of kind %d, which this client does not know", prefix[0])
	}
	length := binary.BigEndian.Uint32(prefix[1:])
	if uint64(length) > uint64(r.BytesMax) {
		return fmt.Errorf("the server sent a frame of %d bytes, and this client takes %d", length, r.BytesMax)
	}
	if cap(r.buffer) < int(length) {
		r.buffer = make([]byte, length)
	}
	content := r.buffer[:length]
	if _, err := io.ReadFull(r.stream, content); err != nil {
		return err
	}
	// What is decoded are copies, so the next message may have the buffer. Fields that this client does not know would
	// stay in memory, and nothing counts them.
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(content, message); err != nil {
		return fmt.Errorf("the server sent what is no message: %w", err)
	}
	return nil
}
