package main

import (
	"example.com/acme/sdk/go/acme"
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := acme.NewStrict(ctx, "res", &acme.StrictArgs{
			A: pulumi.NewStringAsset("t"),
			B: pulumi.Bool(true),
			E: acme.SizeLarge,
			I: pulumi.Int(1),
			J: pulumi.Any(map[string]interface{}{}),
			L: pulumi.StringArray{},
			M: pulumi.StringMap{},
			N: pulumi.Float64(1),
			O: &store.RuleArgs{
				Name: pulumi.String(""),
			},
			S: pulumi.String("x"),
			U: pulumi.Any(3),
			X: pulumi.Any(map[string]interface{}{}),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
