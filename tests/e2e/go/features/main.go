// A provider that runs as a plugin: components, aliases, transforms, hooks, functions, assets, secrets.
package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Thing struct {
	pulumi.CustomResourceState
	Color pulumi.StringOutput `pulumi:"color"`
}

type Box struct {
	pulumi.ResourceState
}

func newThing(ctx *pulumi.Context, name string, props pulumi.Map, opts ...pulumi.ResourceOption) (*Thing, error) {
	thing := &Thing{}
	return thing, ctx.RegisterResource("thing:index:Thing", name, props, thing, opts...)
}

func newBox(ctx *pulumi.Context, name string) (*Box, error) {
	box := &Box{}
	if err := ctx.RegisterComponentResource("e2e:index:Box", name, box); err != nil {
		return nil, err
	}
	_, err := newThing(ctx, name+"-inside", pulumi.Map{"color": pulumi.String("grey")}, pulumi.Parent(box))
	if err != nil {
		return nil, err
	}
	return box, ctx.RegisterResourceOutputs(box, pulumi.Map{})
}

func last(urn pulumi.URN) string {
	parts := strings.Split(string(urn), "::")
	return parts[len(parts)-1]
}

type shoutArgs struct {
	Text string `pulumi:"text"`
	Loud bool   `pulumi:"loud,optional"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		generation := cfg.RequireInt("generation")
		fmt.Println("this goes to stdout")

		err := ctx.RegisterResourceTransform(func(_ context.Context, args *pulumi.ResourceTransformArgs) *pulumi.ResourceTransformResult {
			if args.Type != "thing:index:Thing" {
				return nil
			}
			args.Props["tag"] = pulumi.String("transformed")
			return &pulumi.ResourceTransformResult{Props: args.Props, Opts: args.Opts}
		})
		if err != nil {
			return err
		}
		err = ctx.RegisterInvokeTransform(func(_ context.Context, args *pulumi.InvokeTransformArgs) *pulumi.InvokeTransformResult {
			if args.Token != "thing:index:shout" {
				return nil
			}
			args.Args["loud"] = pulumi.Bool(true)
			return &pulumi.InvokeTransformResult{Args: args.Args, Opts: args.Opts}
		})
		if err != nil {
			return err
		}
		hook, err := ctx.RegisterResourceHook("tell", func(args *pulumi.ResourceHookArgs) error {
			fmt.Println("hook saw " + args.Name)
			return nil
		}, nil)
		if err != nil {
			return err
		}
		first, err := newThing(ctx, "first", pulumi.Map{
			"color": cfg.RequireSecret("color"),
			"file":  pulumi.NewStringAsset("some text"),
		}, pulumi.ResourceHooks(&pulumi.ResourceHookBinding{BeforeCreate: []*pulumi.ResourceHook{hook}}))
		if err != nil {
			return err
		}
		name := "second"
		if generation > 1 {
			name = "renamed"
		}
		second, err := newThing(ctx, name, pulumi.Map{"color": pulumi.String("blue"), "generation": pulumi.Int(generation)},
			pulumi.Aliases([]pulumi.Alias{{Name: pulumi.String("second")}}), pulumi.IgnoreChanges([]string{"color"}))
		if err != nil {
			return err
		}
		archive, err := newThing(ctx, "archive", pulumi.Map{"content": pulumi.NewAssetArchive(map[string]interface{}{
			"a.txt": pulumi.NewStringAsset("a"), "main.go": pulumi.NewFileAsset("main.go"),
		})})
		if err != nil {
			return err
		}
		box, err := newBox(ctx, "box")
		if err != nil {
			return err
		}
		var answer shoutArgs
		if err := ctx.Invoke("thing:index:shout", &shoutArgs{Text: "hello"}, &answer); err != nil {
			return err
		}
		own, err := pulumi.NewStackReference(ctx, "organization/features/"+ctx.Stack(), nil)
		if err != nil {
			return err
		}

		ctx.Export("color", first.Color)
		ctx.Export("text", pulumi.String(answer.Text))
		ctx.Export("loud", pulumi.Bool(answer.Loud))
		ctx.Export("names", pulumi.StringArray{
			second.URN().ApplyT(last).(pulumi.StringOutput),
			archive.URN().ApplyT(last).(pulumi.StringOutput),
			box.URN().ApplyT(last).(pulumi.StringOutput),
		})
		ctx.Export("before", own.GetOutput(pulumi.String("text")))
		return nil
	})
}
