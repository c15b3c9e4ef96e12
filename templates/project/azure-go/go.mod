module ${PROJECT}

go 1.22

require (
	github.com/pulumi/pulumi-azure-native-sdk/resources/v3 v3.0.0
	github.com/pulumi/pulumi-azure-native-sdk/storage/v3 v3.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.142.0
)
