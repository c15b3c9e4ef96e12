package main

import (
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		folder, err := filepath.Abs("../services")
		if err != nil {
			return err
		}
		service, err := NewService(ctx, "service", "mail", folder, 8004)
		if err != nil {
			return err
		}
		ctx.Export("url", service.Url)
		ctx.Export("password", service.Password)
		return nil
	})
}
