from sdk import resource

ResourceGroup = resource("azure-native:resources:ResourceGroup", ["name"])
