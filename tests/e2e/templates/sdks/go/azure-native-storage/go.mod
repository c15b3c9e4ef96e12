module github.com/pulumi/pulumi-azure-native-sdk/storage/v3

go 1.22
