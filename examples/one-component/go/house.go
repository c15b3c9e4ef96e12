package main

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

// Service is the component in the words of Go.
type Service struct {
	pulumi.ResourceState
	Url      pulumi.StringOutput `pulumi:"url"`
	Password pulumi.StringOutput `pulumi:"password"`
}

// NewService makes one. The folder gets its settings.
func NewService(ctx *pulumi.Context, name, title, folder string, port int, options ...pulumi.ResourceOption) (*Service, error) {
	service := &Service{}
	inputs := pulumi.Map{"title": pulumi.String(title), "folder": pulumi.String(folder), "port": pulumi.Int(port)}
	return service, ctx.RegisterRemoteComponentResource("house:index:Service", name, inputs, service, options...)
}
