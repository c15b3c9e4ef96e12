package storage

import "github.com/pulumi/pulumi/sdk/v3/go/pulumi"

type SkuArgs struct {
	Name pulumi.StringInput
}

type StorageAccountArgs struct {
	Kind              pulumi.StringInput
	ResourceGroupName pulumi.StringInput
	Sku               *SkuArgs
}

type StorageAccount struct {
	pulumi.CustomResourceState

	Name pulumi.StringOutput `pulumi:"name"`
}

func NewStorageAccount(ctx *pulumi.Context, name string, args *StorageAccountArgs, opts ...pulumi.ResourceOption) (*StorageAccount, error) {
	account := &StorageAccount{}
	inputs := pulumi.Map{"kind": args.Kind, "resourceGroupName": args.ResourceGroupName, "sku": pulumi.Map{"name": args.Sku.Name}}
	return account, ctx.RegisterResource("azure-native:storage:StorageAccount", name, inputs, account, opts...)
}
