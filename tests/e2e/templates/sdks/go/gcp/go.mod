module github.com/pulumi/pulumi-gcp/sdk/v9

go 1.22
