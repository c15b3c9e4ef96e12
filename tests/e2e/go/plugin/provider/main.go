// A component provider that is source code: the engine has the language host compile and run it.
package main

import (
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
)

type Crate struct {
	pulumi.ResourceState
	Color pulumi.StringOutput `pulumi:"color"`
}

type crateArgs struct {
	Color pulumi.StringInput `pulumi:"color"`
}

func construct(ctx *pulumi.Context, typ, name string, inputs provider.ConstructInputs,
	options pulumi.ResourceOption) (*provider.ConstructResult, error) {
	args, crate := &crateArgs{}, &Crate{}
	if err := inputs.CopyTo(args); err != nil {
		return nil, err
	}
	if err := ctx.RegisterComponentResource(typ, name, crate, options); err != nil {
		return nil, err
	}
	var inside pulumi.CustomResourceState
	err := ctx.RegisterResource("thing:index:Thing", name+"-inside", pulumi.Map{"color": args.Color}, &inside, pulumi.Parent(crate))
	if err != nil {
		return nil, err
	}
	crate.Color = pulumi.Sprintf("light %s", args.Color)
	if err := ctx.RegisterResourceOutputs(crate, pulumi.Map{"color": crate.Color}); err != nil {
		return nil, err
	}
	return provider.NewConstructResult(crate)
}

type greetArgs struct {
	Greeting pulumi.StringInput `pulumi:"greeting"`
}

type greetResult struct {
	Text pulumi.StringOutput `pulumi:"text"`
}

func call(ctx *pulumi.Context, tok string, args provider.CallArgs) (*provider.CallResult, error) {
	greet := &greetArgs{}
	if _, err := args.CopyTo(greet); err != nil {
		return nil, err
	}
	return provider.NewCallResult(&greetResult{Text: pulumi.Sprintf("%s, I am %s", greet.Greeting, tok)})
}

func main() {
	options := provider.Options{
		Name: "crate", Version: "1.2.3", Schema: []byte("{}"), Construct: construct, Call: call,
	}
	if err := provider.MainWithOptions(options); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
