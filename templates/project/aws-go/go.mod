module ${PROJECT}

go 1.22

require (
	github.com/pulumi/pulumi-aws/sdk/v7 v7.0.0
	github.com/pulumi/pulumi/sdk/v3 v3.142.0
)
