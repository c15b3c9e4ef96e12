module github.com/pulumi/pulumi-aws/sdk/v7

go 1.22
