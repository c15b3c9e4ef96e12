// Every way in which a program can fail; the configuration says which.
package main

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		fmt.Println("the first line")
		switch config.Require(ctx, "how") {
		case "error":
			return errors.New("this went wrong")
		case "resource":
			var sound, broken, later pulumi.CustomResourceState
			err := ctx.RegisterResource("thing:index:Thing", "sound", pulumi.Map{}, &sound)
			if err == nil {
				err = ctx.RegisterResource("thing:index:Thing", "broken", pulumi.Map{}, &broken, pulumi.DependsOn([]pulumi.Resource{&sound}))
			}
			if err == nil {
				err = ctx.RegisterResource("thing:index:Thing", "later", pulumi.Map{"of": broken.ID()}, &later)
			}
			return err
		case "function":
			return ctx.Invoke("thing:index:ask", &struct{}{}, &struct{}{})
		case "panic":
			panic("this went very wrong")
		case "exit":
			os.Exit(3)
		case "killed":
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		case "hang":
			fmt.Println("hanging now")
			time.Sleep(time.Hour)
		}
		ctx.Export("done", pulumi.Bool(true))
		return nil
	})
}
