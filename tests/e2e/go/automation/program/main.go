// The program of a workspace that is a folder; the configuration says how it ends.
package main

import (
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		cfg := config.New(ctx, "")
		fmt.Println("the local program runs")
		if cfg.Get("how") == "panic" {
			var missing map[string]string
			missing["this"] = "went wrong"
		}
		var thing pulumi.CustomResourceState
		props := pulumi.Map{"color": pulumi.String(cfg.Require("color")), "hidden": cfg.GetSecret("hidden")}
		if err := ctx.RegisterResource("thing:index:Thing", "thing", props, &thing); err != nil {
			return err
		}
		ctx.Export("color", pulumi.String(cfg.Require("color")))
		ctx.Export("hidden", cfg.GetSecret("hidden"))
		return nil
	})
}
