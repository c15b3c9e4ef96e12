// Uses a component that another process makes.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Crate struct {
	pulumi.ResourceState
	Color pulumi.StringOutput `pulumi:"color"`
}

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		crate := &Crate{}
		props := pulumi.Map{"color": pulumi.String(config.Require(ctx, "color"))}
		if err := ctx.RegisterRemoteComponentResource("crate:index:Crate", "crate", props, crate); err != nil {
			return err
		}
		answer, err := ctx.Call("crate:index:Crate/greet", pulumi.Map{"greeting": pulumi.String("hello")}, pulumi.MapOutput{}, crate)
		if err != nil {
			return err
		}
		ctx.Export("color", crate.Color)
		ctx.Export("greeting", answer.(pulumi.MapOutput).ApplyT(func(value map[string]any) any { return value["text"] }))
		return nil
	})
}
