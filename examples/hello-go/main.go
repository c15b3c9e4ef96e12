package main

import (
	"os"

	"github.com/pulumi/pulumi-command/sdk/go/command/local"
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

const html = `<!doctype html>
<title>%[1]s</title>
<body style="font: 6vmin sans-serif; margin: 20vmin; color: white; background: %[2]s">
<h1>%[1]s, %[3]s!</h1>
<p>Stack %[4]s of project %[5]s.</p>
`

func main() {
	pulumi.Run(deploy)
}

func deploy(ctx *pulumi.Context) error {
	greeting, color := "Hello", "teal"
	if value, err := config.Try(ctx, "hello-go:greeting"); err == nil {
		greeting = value
	}
	if value, err := config.Try(ctx, "hello-go:color"); err == nil {
		color = value
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	folder := here + "/site"

	name, err := random.NewRandomPet(ctx, "name", nil)
	if err != nil {
		return err
	}
	key, err := random.NewRandomBytes(ctx, "key", &random.RandomBytesArgs{Length: pulumi.Int(16)})
	if err != nil {
		return err
	}
	page, err := local.NewCommand(ctx, "page", &local.CommandArgs{
		Create:      pulumi.String(`mkdir -p "$SITE" && cat > "$SITE/index.html" && wc -c < "$SITE/index.html"`),
		Delete:      pulumi.String(`rm -rf "$SITE"`),
		Logging:     local.LoggingNone,
		Environment: pulumi.StringMap{"SITE": pulumi.String(folder)},
		Stdin:       pulumi.Sprintf(html, greeting, color, name.ID(), ctx.Stack(), ctx.Project()),
	})
	if err != nil {
		return err
	}

	ctx.Export("url", pulumi.String("file://"+folder+"/index.html"))
	ctx.Export("name", name.ID())
	ctx.Export("key", key.Hex)
	ctx.Export("bytes", page.Stdout)
	return nil
}
