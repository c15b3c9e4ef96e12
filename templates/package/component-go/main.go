package main

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
)

// What programs of other languages know about the package.
//
//go:embed schema.json
var schema []byte

// GreetingArgs are the inputs of a Greeting.
type GreetingArgs struct {
	Words pulumi.IntPtrInput `pulumi:"words"`
}

// Greeting is for a name that is made once.
type Greeting struct {
	pulumi.ResourceState

	Text pulumi.StringOutput `pulumi:"text"`
}

func newGreeting(ctx *pulumi.Context, name string, args *GreetingArgs, opts ...pulumi.ResourceOption) (*Greeting, error) {
	greeting := &Greeting{}
	if err := ctx.RegisterComponentResource("${PROJECT}:index:Greeting", name, greeting, opts...); err != nil {
		return nil, err
	}
	pet, err := random.NewRandomPet(ctx, name+"-name", &random.RandomPetArgs{Length: args.Words}, pulumi.Parent(greeting))
	if err != nil {
		return nil, err
	}
	greeting.Text = pulumi.Sprintf("Hello, %s!", pet.ID())
	return greeting, ctx.RegisterResourceOutputs(greeting, pulumi.Map{"text": greeting.Text})
}

func construct(ctx *pulumi.Context, typ, name string, inputs provider.ConstructInputs,
	options pulumi.ResourceOption) (*provider.ConstructResult, error) {
	if typ != "${PROJECT}:index:Greeting" {
		return nil, fmt.Errorf("this package has no component %s", typ)
	}
	args := &GreetingArgs{}
	if err := inputs.CopyTo(args); err != nil {
		return nil, err
	}
	greeting, err := newGreeting(ctx, name, args, options)
	if err != nil {
		return nil, err
	}
	return provider.NewConstructResult(greeting)
}

func main() {
	err := provider.MainWithOptions(provider.Options{
		Name:      "${PROJECT}",
		Version:   "0.0.1",
		Schema:    schema,
		Construct: construct,
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
