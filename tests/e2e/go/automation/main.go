// Everything that the Automation API of the SDK offers for a stack; prints a line of TAP for each claim.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/events"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optdestroy"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optimport"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optpreview"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optrefresh"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

var (
	ctx      = context.Background()
	failures int
)

func claim(text string, check func() error) {
	if err := check(); err != nil {
		failures++
		fmt.Println("not ok - " + text)
		fmt.Println("#   " + strings.ReplaceAll(err.Error(), "\n", "\n#   "))
		return
	}
	fmt.Println("ok - " + text)
}

func equal(actual, expected any) error {
	if !reflect.DeepEqual(actual, expected) {
		return fmt.Errorf("%#v is not %#v", actual, expected)
	}
	return nil
}

func holds(is bool, format string, arguments ...any) error {
	if is {
		return nil
	}
	return fmt.Errorf(format, arguments...)
}

// must ends a claim at the first error.
func must(all ...error) error {
	return errors.Join(all...)
}

func counts(summary auto.UpdateSummary) map[string]int {
	if summary.ResourceChanges == nil {
		return nil
	}
	return *summary.ResourceChanges
}

// --- a program inside this process ---

var (
	hold    chan struct{} // while there is one, the program waits for it
	started chan struct{}
	fails   bool
)

func program(pctx *pulumi.Context) error {
	cfg := config.New(pctx, "")
	if started != nil {
		close(started)
		started = nil
	}
	if hold != nil {
		<-hold
	}
	if fails {
		return errors.New("the inline program went wrong")
	}
	var thing pulumi.CustomResourceState
	props := pulumi.Map{"color": pulumi.String(cfg.Require("color")), "hidden": cfg.RequireSecret("hidden")}
	if err := pctx.RegisterResource("thing:index:Thing", "thing", props, &thing); err != nil {
		return err
	}
	pctx.Export("color", pulumi.String(cfg.Require("color")))
	pctx.Export("hidden", cfg.RequireSecret("hidden"))
	pctx.Export("urn", thing.URN())
	return nil
}

// heldUp starts an update that runs until the answer is called.
func heldUp(stack auto.Stack) func() error {
	release, running, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	hold, started = release, running
	go func() {
		_, err := stack.Up(ctx)
		done <- err
	}()
	<-running
	return func() error {
		hold = nil
		close(release)
		return <-done
	}
}

func makeStack() auto.Stack {
	var stack auto.Stack
	claim("a stack that is not there is told apart", func() error {
		_, err := auto.SelectStackInlineSource(ctx, "dev", "inline", program)
		return holds(auto.IsSelectStack404Error(err), "%v", err)
	})
	claim("an inline stack is made", func() error {
		_, err := auto.NewStackInlineSource(ctx, "dev", "inline", program)
		return err
	})
	claim("a stack that is there already is told apart", func() error {
		_, err := auto.NewStackInlineSource(ctx, "dev", "inline", program)
		return holds(auto.IsCreateStack409Error(err), "%v", err)
	})
	claim("one call makes or selects", func() (err error) {
		stack, err = auto.UpsertStackInlineSource(ctx, "dev", "inline", program)
		return err
	})
	return stack
}

func configuration(stack auto.Stack) {
	path := &auto.ConfigOptions{Path: true}
	claim("configuration is set and got", func() error {
		err := must(stack.SetConfig(ctx, "color", auto.ConfigValue{Value: "blue"}),
			stack.SetConfig(ctx, "hidden", auto.ConfigValue{Value: "hush-hush", Secret: true}))
		color, err2 := stack.GetConfig(ctx, "color")
		hidden, err3 := stack.GetConfig(ctx, "hidden")
		return must(err, err2, err3, equal(color, auto.ConfigValue{Value: "blue"}),
			equal(hidden, auto.ConfigValue{Value: "hush-hush", Secret: true}))
	})
	claim("many are set at once, with paths and secrets", func() error {
		err := must(stack.SetAllConfigWithOptions(ctx, auto.ConfigMap{
			"tree.a[0]": {Value: "one"}, "tree.b": {Value: "hidden-two", Secret: true}}, path),
			stack.SetAllConfig(ctx, auto.ConfigMap{"plain": {Value: "a=b,c"}, "other": {Value: "-x y"}}))
		all, err2 := stack.GetAllConfig(ctx)
		one, err3 := stack.GetConfigWithOptions(ctx, "tree.a[0]", path)
		return must(err, err2, err3, equal(len(all), 5), equal(all["inline:plain"].Value, "a=b,c"),
			equal(all["inline:tree"].Value, `{"a":["one"],"b":"hidden-two"}`), equal(one.Value, "one"))
	})
	claim("many are set from JSON", func() error {
		err := stack.SetAllConfigJson(ctx, `{"inline:more": {"value": "m", "secret": true}}`, nil)
		more, err2 := stack.GetConfig(ctx, "more")
		return must(err, err2, equal(more, auto.ConfigValue{Value: "m", Secret: true}), stack.RemoveConfig(ctx, "more"))
	})
	claim("what is removed is gone", func() error {
		err := must(stack.RemoveConfigWithOptions(ctx, "tree.b", path), stack.RemoveAllConfig(ctx, []string{"plain", "other", "tree"}))
		all, err2 := stack.GetAllConfig(ctx)
		_, err3 := stack.GetConfig(ctx, "plain")
		return must(err, err2, equal(len(all), 2), holds(err3 != nil, "it is still there"))
	})
	claim("tags are kept", func() error {
		err := stack.SetTag(ctx, "owner", "me")
		owner, err2 := stack.GetTag(ctx, "owner")
		tags, err3 := stack.ListTags(ctx)
		return must(err, err2, err3, equal(owner, "me"), equal(tags["owner"], "me"), stack.RemoveTag(ctx, "owner"))
	})
}

// collect gives a channel for events, and a function that waits for its end and says what came.
func collect() (chan events.EngineEvent, func() []events.EngineEvent) {
	channel, done := make(chan events.EngineEvent), make(chan []events.EngineEvent)
	go func() {
		var all []events.EngineEvent
		for event := range channel {
			all = append(all, event)
		}
		done <- all
	}()
	return channel, func() []events.EngineEvent { return <-done }
}

func lifecycle(stack auto.Stack) {
	claim("a preview counts what it would do", func() error {
		result, err := stack.Preview(ctx)
		return must(err, equal(fmt.Sprint(result.ChangeSummary), "map[create:2]"))
	})
	claim("up tells what it does as it does it", func() error {
		var progress bytes.Buffer
		channel, wait := collect()
		result, err := stack.Up(ctx, optup.ProgressStreams(&progress), optup.EventStreams(channel), optup.Message("the first"))
		if err != nil {
			return err
		}
		all, kinds := wait(), map[string]bool{}
		for i, event := range all {
			kinds["prelude"] = kinds["prelude"] || event.PreludeEvent != nil
			kinds["resource"] = kinds["resource"] || event.ResourcePreEvent != nil
			kinds["outputs"] = kinds["outputs"] || event.ResOutputsEvent != nil
			kinds["summary"] = kinds["summary"] || event.SummaryEvent != nil
			if err := must(event.Error, equal(event.Sequence, i)); err != nil {
				return err
			}
		}
		return must(equal(kinds, map[string]bool{"prelude": true, "resource": true, "outputs": true, "summary": true}),
			equal(counts(result.Summary), map[string]int{"create": 2}), equal(result.Summary.Result, "succeeded"),
			holds(strings.Contains(result.Summary.Message, "the first"), "message %s", result.Summary.Message),
			holds(strings.Contains(progress.String(), "+ 2 created"), "%s", progress.String()),
			holds(!strings.Contains(result.StdOut, "hush-hush"), "a secret is shown"),
			equal(result.Outputs["color"], auto.OutputValue{Value: "blue"}),
			equal(result.Outputs["hidden"], auto.OutputValue{Value: "hush-hush", Secret: true}))
	})
	claim("up again changes nothing", func() error {
		result, err := stack.Up(ctx, optup.ExpectNoChanges(), optup.Parallel(2), optup.Color("never"), optup.Diff(), optup.SuppressProgress())
		return must(err, equal(counts(result.Summary), map[string]int{"same": 2}))
	})
	claim("a change is seen and made", func() error {
		err := stack.SetConfig(ctx, "color", auto.ConfigValue{Value: "red"})
		preview, err2 := stack.Preview(ctx, optpreview.Diff())
		_, err3 := stack.Preview(ctx, optpreview.ExpectNoChanges())
		outputs, err4 := stack.Outputs(ctx)
		result, err5 := stack.Up(ctx, optup.Target([]string{outputs["urn"].Value.(string)}))
		return must(err, err2, err4, err5, holds(err3 != nil, "changes were not expected"),
			equal(fmt.Sprint(preview.ChangeSummary), "map[same:1 update:1]"), equal(counts(result.Summary)["update"], 1))
	})
	claim("refresh finds everything as it was", func() error {
		preview, err := stack.PreviewRefresh(ctx)
		result, err2 := stack.Refresh(ctx, optrefresh.ExpectNoChanges())
		return must(err, err2, equal(fmt.Sprint(preview.ChangeSummary), "map[same:2]"),
			equal(counts(result.Summary), map[string]int{"same": 2}), equal(result.Summary.Kind, "refresh"))
	})
	claim("history tells it all, the newest first", func() error {
		history, err := stack.History(ctx, 0, 0)
		page, err2 := stack.History(ctx, 1, 2)
		if err := must(err, err2, equal(len(history), 4), equal(len(page), 1)); err != nil {
			return err
		}
		return must(equal(history[0].Kind, "refresh"), equal(history[3].Config["inline:color"].Value, "blue"))
	})
	claim("the state is taken out and put back", func() error {
		state, err := stack.Export(ctx)
		if err := must(err, equal(state.Version, 3), stack.Import(ctx, state)); err != nil {
			return err
		}
		result, err := stack.Up(ctx)
		return must(err, equal(counts(result.Summary), map[string]int{"same": 2}))
	})
	claim("the secrets are given to another passphrase", func() error {
		// The new passphrase is read from the standard input; the old one is in the environment.
		new := "another"
		err := stack.ChangeSecretsProvider(ctx, "passphrase", &auto.ChangeSecretsProviderOptions{NewPassphrase: &new})
		if err != nil {
			return err
		}
		stack.Workspace().SetEnvVar("PULUMI_CONFIG_PASSPHRASE", new)
		hidden, err := stack.GetConfig(ctx, "hidden")
		return must(err, equal(hidden.Value, "hush-hush"))
	})
}

func trouble(stack auto.Stack) {
	claim("a second update at the same time is told apart", func() error {
		release := heldUp(stack)
		second, err := auto.SelectStackInlineSource(ctx, "dev", "inline", program)
		_, err2 := second.Refresh(ctx)
		return must(err, holds(auto.IsConcurrentUpdateError(err2), "%v", err2), release())
	})
	claim("cancel takes the lock away", func() error {
		release := heldUp(stack)
		err := stack.Cancel(ctx)
		_ = release()
		result, err2 := stack.Up(ctx)
		return must(err, err2, equal(result.Summary.Result, "succeeded"))
	})
	claim("a program that fails is told, and the stack goes on", func() error {
		fails = true
		_, failure := stack.Up(ctx)
		fails = false
		_, err := stack.Up(ctx)
		history, err2 := stack.History(ctx, 2, 1)
		return must(err, err2, holds(failure != nil && strings.Contains(failure.Error(), "the inline program went wrong"), "%v", failure),
			equal(history[1].Result, "failed"))
	})
	claim("the end of a context interrupts", func() error {
		short, cancel := context.WithCancel(ctx)
		release, running := make(chan struct{}), make(chan struct{})
		hold, started = release, running
		go func() {
			<-running
			hold = nil
			cancel()
			time.Sleep(time.Second)
			close(release) // an inline program must come to its end before Up does
		}()
		_, failure := stack.Up(short)
		_, err := stack.Up(ctx)
		return must(holds(failure != nil, "it went on"), err)
	})
}

func end(stack auto.Stack) {
	ws := stack.Workspace()
	claim("a stack with resources is not removed", func() error {
		return holds(ws.RemoveStack(ctx, "dev") != nil, "it is gone")
	})
	claim("destroy removes everything", func() error {
		preview, err := stack.PreviewDestroy(ctx)
		result, err2 := stack.Destroy(ctx)
		return must(err, err2, equal(fmt.Sprint(preview.ChangeSummary), "map[delete:2]"),
			equal(counts(result.Summary), map[string]int{"delete": 2}))
	})
	claim("the stack is removed", func() error {
		err := ws.RemoveStack(ctx, "dev")
		_, err2 := auto.SelectStackInlineSource(ctx, "dev", "inline", program)
		return must(err, holds(auto.IsSelectStack404Error(err2), "%v", err2))
	})
}

// --- a program in a folder ---

func localProgram() auto.Stack {
	stack, err := auto.NewStackLocalSource(ctx, "dev", "program")
	claim("a program in a folder goes through its life", func() error {
		err := must(err, stack.SetAllConfig(ctx, auto.ConfigMap{"color": {Value: "green"}, "hidden": {Value: "hush-hush", Secret: true}}))
		result, err2 := stack.Up(ctx)
		preview, err3 := stack.Preview(ctx)
		return must(err, err2, err3, holds(strings.Contains(result.StdOut, "the local program runs"), "%s", result.StdOut),
			holds(!strings.Contains(result.StdOut, "hush-hush"), "a secret is shown"),
			equal(result.Outputs["hidden"], auto.OutputValue{Value: "hush-hush", Secret: true}),
			equal(fmt.Sprint(preview.ChangeSummary), "map[same:2]"))
	})
	claim("a program that panics is told apart", func() error {
		err := stack.SetConfig(ctx, "how", auto.ConfigValue{Value: "panic"})
		_, failure := stack.Up(ctx)
		return must(err, holds(auto.IsRuntimeError(failure), "%v", failure), stack.RemoveConfig(ctx, "how"))
	})
	claim("a program that does not compile is told apart", func() error {
		text, err := os.ReadFile("program/main.go")
		broken := bytes.Replace(text, []byte("return nil"), []byte("return nul"), 1)
		err2 := os.WriteFile("program/main.go", broken, 0o600)
		_, failure := stack.Preview(ctx)
		return must(err, err2, holds(auto.IsCompilationError(failure), "%v", failure), os.WriteFile("program/main.go", text, 0o600))
	})
	claim("a resource is imported", func() error {
		result, err := stack.ImportResources(ctx, optimport.GenerateCode(false), optimport.Protect(false),
			optimport.Resources([]*optimport.ImportResource{{Type: "thing:index:Thing", Name: "found", ID: "known"}}))
		return must(err, equal(result.Summary.Kind, "resource-import"), equal(counts(result.Summary)["import"], 1))
	})
	claim("the workspace lists its stacks", func() error {
		_, err := auto.NewStackLocalSource(ctx, "second", "program")
		stacks, err2 := stack.Workspace().ListStacks(ctx)
		if err := must(err, err2, equal(len(stacks), 2)); err != nil {
			return err
		}
		return must(equal(stacks[0].Name, "dev"), equal(stacks[1].Current, true), equal(*stacks[0].ResourceCount, 4),
			stack.Workspace().RemoveStack(ctx, "second"))
	})
	claim("settings are read", func() error {
		project, err := stack.Workspace().ProjectSettings(ctx)
		settings, err2 := stack.Workspace().StackSettings(ctx, "dev")
		return must(err, err2, equal(project.Name.String(), "local"), equal(len(settings.Config), 2))
	})
	claim("destroy can remove the stack as well", func() error {
		_, err := stack.Destroy(ctx, optdestroy.Remove())
		stacks, err2 := stack.Workspace().ListStacks(ctx)
		return must(err, err2, equal(len(stacks), 0))
	})
	return stack
}

// --- the workspace ---

// A server with one plugin on it.
func serve() (*httptest.Server, error) {
	provider, err := exec.LookPath("pulumi-resource-thing")
	folder, err2 := os.MkdirTemp(os.Getenv("SCENARIO_DIR"), "plugin-")
	if err := must(err, err2); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(provider)
	err = must(err, os.WriteFile(filepath.Join(folder, "pulumi-resource-other"), content, 0o700))
	tar := exec.Command("tar", "czf", "other.tar.gz", "pulumi-resource-other")
	tar.Dir = folder
	if err := must(err, tar.Run()); err != nil {
		return nil, err
	}
	path := regexp.MustCompile(`^/pulumi-resource-other-v1\.2\.3-linux-[a-z0-9]+\.tar\.gz$`)
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !path.MatchString(r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, filepath.Join(folder, "other.tar.gz"))
	})), nil
}

func workspaceOf(stack auto.Stack) {
	ws := stack.Workspace()
	claim("it is known who I am", func() error {
		who, err := ws.WhoAmIDetails(ctx)
		return must(err, holds(who.User != "" && strings.HasPrefix(who.URL, "file://"), "%v", who))
	})
	claim("plugins are installed, listed and removed", func() error {
		server, err := serve()
		if err != nil {
			return err
		}
		defer server.Close()
		err = must(ws.InstallPluginFromServer(ctx, "other", "v1.2.3", server.URL), ws.InstallPlugin(ctx, "other", "v1.2.3"))
		plugins, err2 := ws.ListPlugins(ctx)
		if err := must(err, err2, equal(len(plugins), 1)); err != nil {
			return err
		}
		err = must(equal(plugins[0].Name, "other"), equal(plugins[0].Version.String(), "1.2.3"), ws.RemovePlugin(ctx, "other", "1.2.3"))
		plugins, err2 = ws.ListPlugins(ctx)
		return must(err, err2, equal(len(plugins), 0))
	})
	claim("a plugin that is not to be had is told", func() error {
		return holds(ws.InstallPluginFromServer(ctx, "other", "v9.9.9", "http://127.0.0.1:9") != nil, "it was had")
	})
}

func main() {
	stack := makeStack()
	configuration(stack)
	lifecycle(stack)
	trouble(stack)
	end(stack)
	workspaceOf(localProgram())
	if failures > 0 {
		os.Exit(1)
	}
}
