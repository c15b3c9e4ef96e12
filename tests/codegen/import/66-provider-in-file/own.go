package main

import (
	"example.com/acme/sdk/go/acme"
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		prov, err := acme.NewProvider(ctx, "prov", &acme.ProviderArgs{
			ApiToken: pulumi.ToSecret("tok").(pulumi.StringOutput),
			Region:   pulumi.String("south"),
			Retries:  pulumi.Int(2),
		}, pulumi.Version("1.2.3"))
		if err != nil {
			return err
		}
		_, err = store.NewBucket(ctx, "b", &store.BucketArgs{
			Policy: pulumi.String("p"),
		}, pulumi.Provider(prov), pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
