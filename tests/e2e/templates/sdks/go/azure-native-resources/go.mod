module github.com/pulumi/pulumi-azure-native-sdk/resources/v3

go 1.22
