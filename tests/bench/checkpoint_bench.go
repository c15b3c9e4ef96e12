// checkpoint_bench.go — the same work as checkpoint_bench.c with Go's encoding/json and structs of the same shape, for comparison.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"time"
)

type frame struct {
	SourcePosition string `json:"sourcePosition,omitempty"`
}

type timeouts struct {
	Create float64 `json:"create,omitempty"`
	Update float64 `json:"update,omitempty"`
	Delete float64 `json:"delete,omitempty"`
	Read   float64 `json:"read,omitempty"`
}

type resource struct {
	URN                     string              `json:"urn"`
	Custom                  bool                `json:"custom"`
	Delete                  bool                `json:"delete,omitempty"`
	ID                      string              `json:"id,omitempty"`
	Type                    string              `json:"type"`
	Inputs                  map[string]any      `json:"inputs,omitempty"`
	Outputs                 map[string]any      `json:"outputs,omitempty"`
	Parent                  string              `json:"parent,omitempty"`
	Protect                 bool                `json:"protect,omitempty"`
	Taint                   bool                `json:"taint,omitempty"`
	External                bool                `json:"external,omitempty"`
	Dependencies            []string            `json:"dependencies,omitempty"`
	InitErrors              []string            `json:"initErrors,omitempty"`
	Provider                string              `json:"provider,omitempty"`
	PropertyDependencies    map[string][]string `json:"propertyDependencies,omitempty"`
	PendingReplacement      bool                `json:"pendingReplacement,omitempty"`
	AdditionalSecretOutputs []string            `json:"additionalSecretOutputs,omitempty"`
	Aliases                 []string            `json:"aliases,omitempty"`
	CustomTimeouts          *timeouts           `json:"customTimeouts,omitempty"`
	ImportID                string              `json:"importID,omitempty"`
	RetainOnDelete          bool                `json:"retainOnDelete,omitempty"`
	DeletedWith             string              `json:"deletedWith,omitempty"`
	ReplaceWith             []string            `json:"replaceWith,omitempty"`
	Created                 *time.Time          `json:"created,omitempty"`
	Modified                *time.Time          `json:"modified,omitempty"`
	SourcePosition          string              `json:"sourcePosition,omitempty"`
	StackTrace              []frame             `json:"stackTrace,omitempty"`
	IgnoreChanges           []string            `json:"ignoreChanges,omitempty"`
	HideDiff                []string            `json:"hideDiff,omitempty"`
	ReplaceOnChanges        []string            `json:"replaceOnChanges,omitempty"`
	ReplacementTrigger      any                 `json:"replacementTrigger,omitempty"`
	RefreshBeforeUpdate     bool                `json:"refreshBeforeUpdate,omitempty"`
	ViewOf                  string              `json:"viewOf,omitempty"`
	ResourceHooks           map[string][]string `json:"resourceHooks,omitempty"`
	ExtensionRef            string              `json:"extensionRef,omitempty"`
	SnippetID               string              `json:"snippetID,omitempty"`
}

type checkpoint struct {
	Version    int      `json:"version"`
	Features   []string `json:"features,omitempty"`
	Checkpoint struct {
		Stack  string `json:"stack"`
		Latest struct {
			Manifest struct {
				Time    time.Time `json:"time"`
				Magic   string    `json:"magic"`
				Version string    `json:"version"`
			} `json:"manifest"`
			Resources []resource     `json:"resources,omitempty"`
			Metadata  map[string]any `json:"metadata"`
		} `json:"latest"`
	} `json:"checkpoint"`
}

// Processor time of this process, collector included.
func now() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	read, write := time.Hour, time.Hour
	for i := 0; i < 3; i++ {
		var state checkpoint
		start := now()
		if err := json.Unmarshal(text, &state); err != nil {
			panic(err)
		}
		middle := now()
		if _, err := json.Marshal(&state); err != nil {
			panic(err)
		}
		read, write = min(read, middle-start), min(write, now()-middle)
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	fmt.Printf("Go  read %d ms, write %d ms, both %d ms, peak %d MB for %.1f MB\n", read.Milliseconds(), write.Milliseconds(),
		(read + write).Milliseconds(), usage.Maxrss/1024, float64(len(text))/1e6)
}
