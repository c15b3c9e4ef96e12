//go:build tools

// tools.go — keeps the version of h2spec in go.mod.
package main

import _ "github.com/summerwind/h2spec/cmd/h2spec"
