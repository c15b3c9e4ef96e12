module github.com/pulumi/pulumi-kubernetes/sdk/v4

go 1.22
