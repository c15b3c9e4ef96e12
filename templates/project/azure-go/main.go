package main

import (
	"github.com/pulumi/pulumi-azure-native-sdk/resources/v3"
	"github.com/pulumi/pulumi-azure-native-sdk/storage/v3"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		group, err := resources.NewResourceGroup(ctx, "group", nil)
		if err != nil {
			return err
		}
		account, err := storage.NewStorageAccount(ctx, "storage", &storage.StorageAccountArgs{
			ResourceGroupName: group.Name,
			Kind:              pulumi.String("StorageV2"),
			Sku:               &storage.SkuArgs{Name: pulumi.String("Standard_LRS")},
		})
		if err != nil {
			return err
		}
		ctx.Export("storageName", account.Name)
		return nil
	})
}
