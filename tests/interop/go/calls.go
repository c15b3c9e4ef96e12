// calls.go — what a grpc-go client must get from our server.
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

type client struct{ connection *grpc.ClientConn }

var both = grpc.StreamDesc{ServerStreams: true, ClientStreams: true}

func (c client) unary(ctx context.Context, name string, request []byte) ([]byte, error) {
	var response []byte
	err := c.connection.Invoke(ctx, "/interop.T/"+name, &request, &response)
	return response, err
}

func (c client) stream(ctx context.Context, name string) (grpc.ClientStream, error) {
	return c.connection.NewStream(ctx, &both, "/interop.T/"+name)
}

func (c client) echo(size int) error {
	request := filled('e', size)
	response, err := c.unary(context.Background(), "Echo", request)
	if err == nil && !bytes.Equal(request, response) {
		err = fmt.Errorf("%d bytes came back as %d others", len(request), len(response))
	}
	return err
}

func (c client) small() error {
	for _, size := range []int{0, 1, 70000} {
		if err := c.echo(size); err != nil {
			return err
		}
	}
	return nil
}

func (c client) readSpout(count, size int) error {
	stream, err := c.stream(context.Background(), "Spout")
	if err != nil {
		return err
	}
	request := []byte(fmt.Sprint(count, " ", size))
	if err := stream.SendMsg(&request); err != nil {
		return err
	}
	for i := 0; ; i++ {
		var message []byte
		err := stream.RecvMsg(&message)
		if err == io.EOF && i == count {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after %d messages: %w", i, err)
		}
		if len(message) != size {
			return fmt.Errorf("a message of %d bytes", len(message))
		}
	}
}

func (c client) serverStream() error {
	if err := c.readSpout(1000, 10); err != nil {
		return err
	}
	return c.readSpout(10, 1000000)
}

func (c client) clientStream() error {
	stream, err := c.stream(context.Background(), "Sum")
	if err != nil {
		return err
	}
	message := filled('e', 100000)
	for i := 0; i < 100; i++ {
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	if err := stream.RecvMsg(&message); err != nil {
		return err
	}
	if string(message) != "10000000" {
		return fmt.Errorf("the sum is %s", message)
	}
	return nil
}

func (c client) bothStreams() error {
	stream, err := c.stream(context.Background(), "Chat")
	if err != nil {
		return err
	}
	for i := 0; i < 100; i++ {
		message := filled('e', i*1000)
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
		if err := stream.RecvMsg(&message); err != nil {
			return err
		}
		if len(message) != i*1000 {
			return fmt.Errorf("%d bytes came back as %d", i*1000, len(message))
		}
	}
	if err := stream.CloseSend(); err != nil {
		return err
	}
	var message []byte
	if err := stream.RecvMsg(&message); err != io.EOF {
		return fmt.Errorf("instead of the end: %v", err)
	}
	return nil
}

func (c client) details() error {
	for _, size := range []int{1, 2, 3000} {
		_, err := c.unary(context.Background(), "Fail", []byte(strconv.Itoa(size)))
		answer := status.Convert(err)
		details := answer.Proto().GetDetails()
		if answer.Code() != codes.NotFound || answer.Message() != text || len(details) != 1 || len(details[0].Value) != size {
			return fmt.Errorf("wrong status or details: %w", err)
		}
	}
	return nil
}

func (c client) unknownMethod() error {
	if _, err := c.unary(context.Background(), "Nothing", nil); status.Code(err) != codes.Unimplemented {
		return fmt.Errorf("instead of unimplemented: %w", err)
	}
	return nil
}

func (c client) deadline() error {
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.unary(ctx, "Wait", nil); status.Code(err) != codes.DeadlineExceeded {
		return fmt.Errorf("instead of the deadline: %w", err)
	}
	return nil
}

func (c client) waits() (int, error) {
	answer, err := c.unary(context.Background(), "Waits", nil)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(answer))
}

// Calls that have not left when they are canceled are never seen over there: on a busy machine they get more time.
func (c client) cancellation() error {
	err := error(nil)
	for pause := 300 * time.Millisecond; pause < time.Minute; pause *= 8 {
		if err = c.cancelAfter(pause); err == nil {
			return nil
		}
	}
	return err
}

func (c client) cancelAfter(pause time.Duration) error {
	before, err := c.waits()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var calls sync.WaitGroup
	for i := 0; i < 20; i++ {
		calls.Add(1)
		go func() {
			defer calls.Done()
			_, _ = c.unary(ctx, "Wait", nil)
		}()
	}
	time.Sleep(pause)
	cancel()
	calls.Wait()
	after := 0
	for i := 0; i < 500 && after < before+20; i++ {
		time.Sleep(20 * time.Millisecond)
		if after, err = c.waits(); err != nil {
			return err
		}
	}
	if after < before+20 { // the call of the deadline may count late
		return fmt.Errorf("%d of 20 were canceled", after-before)
	}
	return nil
}

func (c client) manyAtOnce() error {
	failures := make(chan error, 400)
	for i := 0; i < cap(failures); i++ {
		go func() {
			var err error
			for j := 0; j < 5 && err == nil; j++ {
				err = c.echo(1000)
			}
			failures <- err
		}()
	}
	for i := 0; i < cap(failures); i++ {
		if err := <-failures; err != nil {
			return err
		}
	}
	return nil
}

// A stream that nobody reads holds back its sender and nobody else.
func (c client) stalledReader() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stream, err := c.stream(ctx, "Spout")
	if err != nil {
		return err
	}
	request := []byte("1000 100000")
	if err := stream.SendMsg(&request); err != nil {
		return err
	}
	time.Sleep(100 * time.Millisecond)
	return c.echo(6 << 20)
}

func (c client) largeMetadata(size int) error {
	ctx := metadata.AppendToOutgoingContext(context.Background(), "large", string(filled('m', size)))
	_, err := c.unary(ctx, "Echo", nil)
	return err
}

// refusesLargeMetadata: headers of requests may have 64 KB, and the connection survives an attempt to send more.
func (c client) refusesLargeMetadata() error {
	if c.largeMetadata(100000) == nil {
		return fmt.Errorf("100,000 bytes of metadata were taken")
	}
	return c.echo(1000)
}

// hang leaves calls open until the process is killed.
func (c client) hang() {
	for i := 0; i < 10; i++ {
		go func() { _, _ = c.unary(context.Background(), "Wait", nil) }()
	}
	if stream, err := c.stream(context.Background(), "Sum"); err == nil {
		message := filled('e', 1000000)
		_ = stream.SendMsg(&message)
	}
	time.Sleep(300 * time.Millisecond)
	fmt.Println("hanging")
	select {}
}

func callAll(connection *grpc.ClientConn, hangs bool) error {
	c := client{connection}
	if hangs {
		c.hang()
	}
	claims := []struct {
		name  string
		check func() error
	}{
		{"small messages come back", c.small},
		{"6 MB come back", func() error { return c.echo(6 << 20) }},
		{"100 MB come back", func() error { return c.echo(100 << 20) }},
		{"a server may stream", c.serverStream},
		{"a client may stream", c.clientStream},
		{"both may stream", c.bothStreams},
		{"a status has text and details", c.details},
		{"unknown methods are unimplemented", c.unknownMethod},
		{"deadlines end calls", c.deadline},
		{"cancellation reaches the handler", c.cancellation},
		{"hundreds of calls at once", c.manyAtOnce},
		{"a reader that stops disturbs nobody", c.stalledReader},
		{"60 KB of metadata are taken", func() error { return c.largeMetadata(60000) }},
		{"100 KB of metadata are refused", c.refusesLargeMetadata},
	}
	for i, claim := range claims {
		if err := claim.check(); err != nil {
			fmt.Printf("not ok %d - %s\n# %v\n", i+1, claim.name, err)
		} else {
			fmt.Printf("ok %d - %s\n", i+1, claim.name)
		}
	}
	return nil
}
