module ${PROJECT}

go 1.22

require (
	github.com/pulumi/pulumi-kubernetes/sdk/v4 v4.18.0
	github.com/pulumi/pulumi/sdk/v3 v3.142.0
)
