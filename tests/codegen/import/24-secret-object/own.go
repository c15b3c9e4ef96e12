package main

import (
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := store.NewBucket(ctx, "res", &store.BucketArgs{
			MainRule: pulumi.ToSecret(&store.RuleArgs{
				Count: pulumi.Int(1),
				Name:  pulumi.String("n"),
			}).(store.RuleOutput),
			Policy: pulumi.String("p"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
