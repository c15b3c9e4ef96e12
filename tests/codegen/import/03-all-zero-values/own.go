package main

import (
	"example.com/acme/sdk/go/acme"
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := acme.NewStrict(ctx, "res", &acme.StrictArgs{
			A: nil,
			B: pulumi.Bool(false),
			E: acme.SizeSmall,
			I: pulumi.Int(0),
			J: pulumi.Any(map[string]interface{}{}),
			L: pulumi.StringArray{},
			M: pulumi.StringMap{},
			N: pulumi.Float64(0),
			O: &store.RuleArgs{
				Name: pulumi.String(""),
			},
			S: pulumi.String(""),
			U: pulumi.Any(0),
			X: pulumi.Any(map[string]interface{}{}),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
