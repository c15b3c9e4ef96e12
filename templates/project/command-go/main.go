package main

import (
	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		run, err := local.NewCommand(ctx, "greeting", &local.CommandArgs{
			Create: pulumi.String(`echo "Hello from $(uname -s)"`),
		})
		if err != nil {
			return err
		}
		ctx.Export("greeting", run.Stdout)
		return nil
	})
}
