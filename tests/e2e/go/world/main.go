// What a program sees of the world around it: another stack, files, its configuration; and what it tells the user.
package main

import (
	"path/filepath"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type tree struct {
	List []any `json:"list"`
}

func program(ctx *pulumi.Context) error {
	cfg := config.New(ctx, "")
	other, err := pulumi.NewStackReference(ctx, "organization/other/dev", nil)
	if err != nil {
		return err
	}
	page, err := filepath.Abs("site/index.html")
	if err != nil {
		return err
	}
	var site pulumi.CustomResourceState
	err = ctx.RegisterResource("thing:index:Thing", "site", pulumi.Map{
		"files":  pulumi.NewFileArchive("./site"),
		"page":   pulumi.NewFileAsset("site/index.html"),
		"remote": pulumi.NewRemoteAsset("file://" + page),
		"both": pulumi.NewAssetArchive(map[string]any{
			"a.html": pulumi.NewFileAsset("site/index.html"), "sub": pulumi.NewFileArchive("site")}),
	}, &site)
	if err != nil {
		return err
	}

	told := &pulumi.LogArgs{Resource: &site}
	_ = ctx.Log.Debug("told only to who asks", told)
	_ = ctx.Log.Info("something to know", told)
	_ = ctx.Log.Warn("something to mind", told)
	if cfg.GetBool("wrong") {
		_ = ctx.Log.Error("something to mend", told)
	}

	var whole tree
	cfg.RequireObject("tree", &whole)
	detail, err := other.GetOutputDetails("name")
	if err != nil {
		return err
	}
	secret, err := cfg.TrySecretObject("tree", &tree{})
	if err != nil {
		return err
	}
	answer := ctx.InvokeOutput("thing:index:look", pulumi.Map{"at": pulumi.ToSecret(pulumi.String("hush-hush"))},
		pulumi.MapOutput{}, pulumi.InvokeOutputOptions{})
	ctx.Export("name", other.GetOutput(pulumi.String("name")))
	ctx.Export("key", other.GetOutput(pulumi.String("key")))
	ctx.Export("nothing", other.GetOutput(pulumi.String("nothing")).ApplyT(func(value any) bool { return value == nil }))
	ctx.Export("detail", pulumi.Any(detail.Value))
	ctx.Export("place", pulumi.String(ctx.Organization()+"/"+ctx.Project()+"/"+ctx.Stack()))
	ctx.Export("tree", pulumi.Any(map[string]any{"list": whole.List}))
	ctx.Export("leaf", secret.ApplyT(func(value any) string { return value.(*tree).List[1].(string) }))
	ctx.Export("looked", answer.(pulumi.MapOutput).ApplyT(func(value map[string]any) any { return value["at"] }))
	return nil
}

func main() {
	pulumi.Run(program)
}
