// main.go — grpc-go's side of the interop tests; ../peer.h describes the service.
// usage: peer serve | peer call ADDRESS | peer hang ADDRESS
package main

import (
	"fmt"
	"io"
	"net"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

const maxMessage = 400 << 20

// raw passes bytes through.
type raw struct{}

func (raw) Marshal(v any) ([]byte, error)      { return *v.(*[]byte), nil }
func (raw) Unmarshal(data []byte, v any) error { *v.(*[]byte) = data; return nil }
func (raw) Name() string                       { return "raw" }

func serve() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.ForceServerCodec(raw{}), grpc.MaxRecvMsgSize(maxMessage))
	server.RegisterService(&description, &service{})
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		server.GracefulStop()
	}()
	return server.Serve(listener)
}

func dial(address string) (*grpc.ClientConn, error) {
	return grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(maxMessage)))
}

func main() {
	err := fmt.Errorf("usage: peer serve | peer call ADDRESS | peer hang ADDRESS")
	switch {
	case len(os.Args) == 2 && os.Args[1] == "serve":
		err = serve()
	case len(os.Args) == 3:
		var connection *grpc.ClientConn
		if connection, err = dial(os.Args[2]); err == nil {
			err = callAll(connection, os.Args[1] == "hang")
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
