// Package e2e keeps the SDK among the requirements of go.mod.
package e2e

import _ "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
