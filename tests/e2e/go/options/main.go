// What can be said about a resource beside its properties; the second generation changes most of it.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

type Thing struct {
	pulumi.CustomResourceState
	Color pulumi.StringOutput `pulumi:"color"`
	Out   pulumi.StringOutput `pulumi:"out"`
}

type Shelf struct {
	pulumi.ResourceState
	inside *Thing
}

// maker makes things until the first of them fails.
type maker struct {
	ctx *pulumi.Context
	err error
}

func (m *maker) typed(typ, name string, props pulumi.Map, opts ...pulumi.ResourceOption) *Thing {
	thing := &Thing{}
	if m.err == nil {
		m.err = m.ctx.RegisterResource(typ, name, props, thing, opts...)
	}
	return thing
}

func (m *maker) thing(name string, props pulumi.Map, opts ...pulumi.ResourceOption) *Thing {
	return m.typed("thing:index:Thing", name, props, opts...)
}

func (m *maker) color(name, color string, opts ...pulumi.ResourceOption) *Thing {
	return m.thing(name, pulumi.Map{"color": pulumi.String(color)}, opts...)
}

func (m *maker) shelf(name string, opts ...pulumi.ResourceOption) *Shelf {
	shelf := &Shelf{}
	if m.err == nil {
		m.err = m.ctx.RegisterComponentResource("e2e:index:Shelf", name, shelf, opts...)
	}
	shelf.inside = m.color(name+"-inside", "grey", pulumi.Parent(shelf))
	if m.err == nil {
		m.err = m.ctx.RegisterResourceOutputs(shelf, pulumi.Map{})
	}
	return shelf
}

func oldStyle(args *pulumi.ResourceTransformationArgs) *pulumi.ResourceTransformationResult {
	props, _ := args.Props.(pulumi.Map)
	changed := pulumi.Map{"old": pulumi.String("style")}
	for key, value := range props {
		changed[key] = value
	}
	if props == nil {
		return nil // the component itself
	}
	return &pulumi.ResourceTransformationResult{Props: changed, Opts: args.Opts}
}

func program(ctx *pulumi.Context) error {
	m := &maker{ctx: ctx}
	generation := config.RequireInt(ctx, "generation")
	isSecond := generation > 1
	pick := func(first, second string) string {
		if isSecond {
			return second
		}
		return first
	}

	var own pulumi.ProviderResourceState
	if err := ctx.RegisterResource("pulumi:providers:thing", "own", pulumi.Map{"region": pulumi.String("here")}, &own); err != nil {
		return err
	}
	shelf := m.shelf("shelf", pulumi.ProviderMap(map[string]pulumi.ProviderResource{"thing": &own}),
		pulumi.Transformations([]pulumi.ResourceTransformation{oldStyle}))

	kept := m.color("kept", "gold", pulumi.RetainOnDelete(true))
	swap := m.thing("swap", pulumi.Map{"force": pulumi.Int(generation)}, pulumi.DeleteBeforeReplace(true))
	m.thing("after", pulumi.Map{"color": pulumi.String("blue"), "of": swap.Out},
		pulumi.DependsOn([]pulumi.Resource{swap}), pulumi.DeletedWith(shelf))
	if isSecond {
		m.color("moved", "red", pulumi.Parent(shelf), pulumi.Aliases([]pulumi.Alias{{NoParent: pulumi.Bool(true)}}))
	} else {
		m.color("moved", "red")
	}
	m.typed(pick("thing:index:Old", "thing:index:Thing"), "retyped", pulumi.Map{"color": pulumi.String("green")},
		pulumi.Aliases([]pulumi.Alias{{Type: pulumi.String("thing:index:Old")}}))
	m.color("touchy", pick("teal", "cyan"), pulumi.ReplaceOnChanges([]string{"color"}))
	m.thing("steady", pulumi.Map{"color": pulumi.String(pick("teal", "cyan")), "list": pulumi.IntArray{pulumi.Int(generation)}},
		pulumi.IgnoreChanges([]string{"color", "list[0]"}))
	m.color("adopted", "black", pulumi.Import(pulumi.ID("known")))
	m.color("slow", "brown", pulumi.Timeouts(&pulumi.CustomTimeouts{Create: "1m", Update: "2h"}))
	m.color("secretive", "pink", pulumi.AdditionalSecretOutputs([]string{"out"}))
	got := &Thing{}
	if err := ctx.ReadResource("thing:index:Thing", "got", pulumi.ID("there"), nil, got); err != nil {
		return err
	}
	guarded := m.color("guarded", "white", pulumi.Protect(!isSecond))

	ctx.Export("out", swap.Out)
	ctx.Export("color", got.Color)
	ctx.Export("both", pulumi.Sprintf("%s %s", kept.ID(), guarded.ID()))
	ctx.Export("provider", shelf.inside.Out)
	ctx.Export("twice", pulumi.Sprintf("%s and %s", swap.Out, pulumi.JSONMarshal(pulumi.Map{"out": swap.Out})))
	return m.err
}

func main() {
	pulumi.Run(program)
}
