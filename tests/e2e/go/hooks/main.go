// A hook at every point of a resource's life; the configuration says which of them fails.
package main

import (
	"errors"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func of(properties resource.PropertyMap) string {
	if properties == nil {
		return "none"
	}
	return properties["color"].StringValue()
}

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	failing := cfg.Get("failing")
	hook := func(point string) []*pulumi.ResourceHook {
		made, err := ctx.RegisterResourceHook(point, func(args *pulumi.ResourceHookArgs) error {
			fmt.Printf("%s of %s: %s to %s, %s to %s\n", point, args.Name, of(args.OldInputs), of(args.NewInputs),
				of(args.OldOutputs), of(args.NewOutputs))
			if failing == point {
				return errors.New("the hook does not like it")
			}
			return nil
		}, nil)
		if err != nil {
			panic(err)
		}
		return []*pulumi.ResourceHook{made}
	}
	hooks := pulumi.ResourceHooks(&pulumi.ResourceHookBinding{
		BeforeCreate: hook("beforeCreate"), AfterCreate: hook("afterCreate"),
		BeforeUpdate: hook("beforeUpdate"), AfterUpdate: hook("afterUpdate"),
		BeforeDelete: hook("beforeDelete"), AfterDelete: hook("afterDelete"),
	})
	var thing, more pulumi.CustomResourceState
	props := pulumi.Map{"color": pulumi.String(cfg.Require("color"))}
	if err := ctx.RegisterResource("thing:index:Thing", "thing", props, &thing, hooks); err != nil {
		return err
	}
	if cfg.GetBool("more") {
		return ctx.RegisterResource("thing:index:Thing", "more", pulumi.Map{"color": pulumi.String("white")}, &more, hooks)
	}
	return nil
}

func main() {
	pulumi.Run(program)
}
