module ${PROJECT}

go 1.22

require (
	github.com/pulumi/pulumi-command/sdk v1.0.1
	github.com/pulumi/pulumi/sdk/v3 v3.142.0
)
