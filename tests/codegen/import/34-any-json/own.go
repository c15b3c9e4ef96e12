package main

import (
	"example.com/acme/sdk/go/acme/store"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		_, err := store.NewBucket(ctx, "res", &store.BucketArgs{
			Anything: pulumi.Any(map[string]interface{}{
				"a": []interface{}{
					1,
					"two",
					map[string]bool{
						"b": true,
					},
				},
				"n": nil,
			}),
			JsonDoc: pulumi.Any(map[string]interface{}{
				"x": 1,
				"y": []string{
					"z",
				},
			}),
			Policy: pulumi.String("p"),
		}, pulumi.Protect(true))
		if err != nil {
			return err
		}
		return nil
	})
}
