package resources

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type ResourceGroupArgs struct{}

type ResourceGroup struct {
	pulumi.CustomResourceState

	Name pulumi.StringOutput `pulumi:"name"`
}

func NewResourceGroup(ctx *pulumi.Context, name string, args *ResourceGroupArgs, opts ...pulumi.ResourceOption) (*ResourceGroup, error) {
	group := &ResourceGroup{}
	return group, ctx.RegisterResource("azure-native:resources:ResourceGroup", name, pulumi.Map{}, group, opts...)
}
