import * as resources from "@pulumi/azure-native/resources";
import * as storage from "@pulumi/azure-native/storage";

const group = new resources.ResourceGroup("group");

const account = new storage.StorageAccount("storage", {
    resourceGroupName: group.name,
    kind: storage.Kind.StorageV2,
    sku: { name: storage.SkuName.Standard_LRS },
});

export const storageName = account.name;
