package main

import (
	"example.com/acme/sdk/go/acme"
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := acme.NewStrict(ctx, "myStrict", &acme.StrictArgs{
			A: pulumi.NewStringAsset("t"),
			B: pulumi.Bool(true),
			E: acme.SizeLarge,
			I: pulumi.Int(1),
			J: pulumi.Any(map[string]int{
				"q": 1,
			}),
			L: pulumi.StringArray{
				pulumi.String("l"),
			},
			M: pulumi.StringMap{
				"k": pulumi.String("v"),
			},
			N: pulumi.Float64(1.5),
			O: &store.RuleArgs{
				Name: pulumi.String("n"),
			},
			S: pulumi.String("S"),
			U: pulumi.Any("u"),
			X: pulumi.Any([]int{
				1,
			}),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
