import pulumi
from pulumi_azure_native import resources, storage

group = resources.ResourceGroup("group")

account = storage.StorageAccount(
    "storage",
    resource_group_name=group.name,
    kind=storage.Kind.STORAGE_V2,
    sku={"name": storage.SkuName.STANDARD_LRS},
)

pulumi.export("storageName", account.name)
