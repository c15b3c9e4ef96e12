module ${PROJECT}

go 1.22

require (
	github.com/pulumi/pulumi-random/sdk/v4 v4.16.7
	github.com/pulumi/pulumi/sdk/v3 v3.142.0
)
