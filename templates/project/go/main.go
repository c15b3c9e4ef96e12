package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		// Resources and outputs go here.
		ctx.Export("project", pulumi.String(ctx.Project()))
		return nil
	})
}
