// Package e2e keeps what the programs use of the SDK among the requirements of go.mod.
package e2e

import (
	_ "github.com/pulumi/pulumi/sdk/v3/go/auto"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/provider"
)
