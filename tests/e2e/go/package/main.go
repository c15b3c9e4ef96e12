package main

import (
	"example.com/pulumi-thing/sdk/go/thing"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		box, err := thing.NewBox(ctx, "box", &thing.BoxArgs{
			Size:  pulumi.Int(3),
			Kind:  thing.KindWood,
			Word:  pulumi.String("hush"),
			Parts: thing.PartArray{thing.PartArgs{Name: pulumi.String("nail"), Count: pulumi.Int(2)}},
		})
		if err != nil {
			return err
		}
		ctx.Export("size", box.Size)
		ctx.Export("label", box.Label)
		ctx.Export("kind", box.Kind)
		ctx.Export("lid", thing.GetLidOutput(ctx, thing.GetLidOutputArgs{Size: box.Size}).Lid())
		return nil
	})
}
