module ${PROJECT}

go 1.22

require (
	github.com/pulumi/pulumi-gcp/sdk/v9 v9.6.0
	github.com/pulumi/pulumi/sdk/v3 v3.142.0
)
