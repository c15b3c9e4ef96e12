// service.go — the methods, as a server.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"

	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"
)

const text = "no such thing: é 100%"

type service struct{ waits atomic.Int64 }

func filled(letter byte, size int) []byte {
	bytes := make([]byte, size)
	for i := range bytes {
		bytes[i] = letter
	}
	return bytes
}

func (s *service) unary(ctx context.Context, name string, request []byte) ([]byte, error) {
	switch name {
	case "Echo":
		return request, nil
	case "Fail":
		size, err := strconv.Atoi(string(request))
		if err != nil {
			return nil, err
		}
		detail := &anypb.Any{TypeUrl: "type.googleapis.com/interop.Detail", Value: filled('d', size)}
		return nil, status.FromProto(&spb.Status{Code: int32(codes.NotFound), Message: text, Details: []*anypb.Any{detail}}).Err()
	case "Wait":
		<-ctx.Done()
		s.waits.Add(1)
		return nil, ctx.Err()
	case "Waits":
		return []byte(strconv.FormatInt(s.waits.Load(), 10)), nil
	default: // Die
		os.Exit(3)
		return nil, nil
	}
}

func spout(stream grpc.ServerStream) error {
	var request []byte
	var count, size int
	if err := stream.RecvMsg(&request); err != nil {
		return err
	}
	if _, err := fmt.Sscan(string(request), &count, &size); err != nil {
		return err
	}
	message := filled('s', size)
	for i := 0; i < count; i++ {
		if err := stream.SendMsg(&message); err != nil {
			return err
		}
	}
	return nil
}

func sum(stream grpc.ServerStream) error {
	total := 0
	for {
		var message []byte
		err := stream.RecvMsg(&message)
		if err == io.EOF {
			answer := []byte(strconv.Itoa(total))
			return stream.SendMsg(&answer)
		}
		if err != nil {
			return err
		}
		total += len(message)
	}
}

func chat(stream grpc.ServerStream) error {
	for {
		var message []byte
		err := stream.RecvMsg(&message)
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = stream.SendMsg(&message)
		}
		if err != nil {
			return err
		}
	}
}

func unaryMethod(name string) grpc.MethodDesc {
	handler := func(srv any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		var request []byte
		if err := decode(&request); err != nil {
			return nil, err
		}
		response, err := srv.(*service).unary(ctx, name, request)
		return &response, err
	}
	return grpc.MethodDesc{MethodName: name, Handler: handler}
}

func streamMethod(name string, run func(grpc.ServerStream) error) grpc.StreamDesc {
	handler := func(_ any, stream grpc.ServerStream) error { return run(stream) }
	return grpc.StreamDesc{StreamName: name, Handler: handler, ServerStreams: true, ClientStreams: true}
}

var description = grpc.ServiceDesc{
	ServiceName: "interop.T",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{unaryMethod("Echo"), unaryMethod("Fail"), unaryMethod("Wait"), unaryMethod("Waits"), unaryMethod("Die")},
	Streams:     []grpc.StreamDesc{streamMethod("Spout", spout), streamMethod("Sum", sum), streamMethod("Chat", chat)},
}
