package transport

import (
	"bufio"
	"io"
	"runtime"
	"sync"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

// Outbox is what waits to be written. Requests wait with their callers, one at a time; what is said about requests in
// flight never waits, and is bounded by their number, because it adds up.
type Outbox struct {
	// Frames are taken one by one, as the stream takes them.
	Frames chan []byte

	wake chan struct{}

	mu     sync.Mutex
	asides map[uint32]Aside
}

// Aside is what the server is to be told about a request in flight.
type Aside struct {
	// Credit is how many bytes of rows more it may send.
	Credit uint32
	// Cancel is whether nobody waits for it any more.
	Cancel bool
}

// NewOutbox is one in which nothing waits.
func NewOutbox() *Outbox {
	return &Outbox{Frames: make(chan []byte), wake: make(chan struct{}, 1), asides: map[uint32]Aside{}}
}

// Add puts an aside behind what was said of the request and is not written yet.
func (o *Outbox) Add(id uint32, said Aside) {
	o.mu.Lock()
	before := o.asides[id]
	o.asides[id] = Aside{Credit: before.Credit + said.Credit, Cancel: before.Cancel || said.Cancel}
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Forget drops what would be said of a request that has ended.
func (o *Outbox) Forget(id uint32) {
	o.mu.Lock()
	delete(o.asides, id)
	o.mu.Unlock()
}

// Run writes until the connection ends. What comes together leaves together.
func (o *Outbox) Run(stream io.Writer, ended <-chan struct{}) error {
	buffered := bufio.NewWriterSize(stream, 64<<10)
	for {
		// Whoever is about to send does so before the system is called.
		runtime.Gosched()
		var err error
		select {
		case frame := <-o.Frames:
			_, err = buffered.Write(frame)
		case <-o.wake:
			err = o.writeAsides(buffered)
		default:
			if err = buffered.Flush(); err == nil {
				select {
				case frame := <-o.Frames:
					_, err = buffered.Write(frame)
				case <-o.wake:
					err = o.writeAsides(buffered)
				case <-ended:
					return nil
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

func (o *Outbox) writeAsides(stream io.Writer) error {
	o.mu.Lock()
	said := o.asides
	o.asides = map[uint32]Aside{}
	o.mu.Unlock()
	for id, one := range said {
		if one.Credit > 0 {
			credit := &martletpb.ClientMessage_Credit{Credit: &martletpb.Credit{Bytes: one.Credit}}
			if err := write(stream, &martletpb.ClientMessage{RequestId: id, Kind: credit}); err != nil {
				return err
			}
		}
		if one.Cancel {
			cancel := &martletpb.ClientMessage_Cancel{Cancel: &martletpb.Cancel{}}
			if err := write(stream, &martletpb.ClientMessage{RequestId: id, Kind: cancel}); err != nil {
				return err
			}
		}
	}
	return nil
}

// asideBytesMax is more than a credit or a cancel has.
const asideBytesMax = 64

func write(stream io.Writer, message proto.Message) error {
	frame, err := Frame(message, asideBytesMax)
	if err != nil {
		return err
	}
	_, err = stream.Write(frame)
	return err
}
