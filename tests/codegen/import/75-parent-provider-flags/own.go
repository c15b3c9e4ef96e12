package main

import (
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := store.NewBucket(ctx, "b2", &store.BucketArgs{
			Policy: pulumi.String("q"),
		}, pulumi.Parent(myparent), pulumi.Provider(myprov), pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
