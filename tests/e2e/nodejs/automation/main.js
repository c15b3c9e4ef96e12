// Everything that the Automation API of the SDK offers for a stack; prints a line of TAP for each claim.
const assert = require("assert");
const child = require("child_process");
const fs = require("fs");
const http = require("http");
const path = require("path");
const pulumi = require("@pulumi/pulumi");
const auto = require("@pulumi/pulumi/automation");

let failures = 0;

async function claim(text, check) {
    try {
        await check();
        console.log("ok - " + text);
    } catch (error) {
        failures++;
        console.log("not ok - " + text);
        console.log(String(error.stack || error).split("\n").map((line) => "#   " + line).join("\n"));
    }
}

async function rejects(promise, name) {
    try {
        await promise;
    } catch (error) {
        assert.strictEqual(error.name, name, String(error));
        return error;
    }
    assert.fail("nothing was thrown");
}

// Old SDKs read events from a file. They read some twice if a call ends while they look for more.
function eachOnce(events) {
    return (event) => events.some((known) => known.sequence === event.sequence) || events.push(event);
}

// They may also be behind when a call is over.
async function lastIsCancel(events) {
    for (let i = 0; i < 50 && !(events.length && events[events.length - 1].cancelEvent); i++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    assert.ok(events[events.length - 1].cancelEvent, "the last event is missing");
}

// --- a program inside this process ---

let hold; // while it is set, the program waits for it
let started = () => {};
let fails = false;
let rejectsLate = false;

async function program() {
    const config = new pulumi.Config();
    started();
    await hold;
    if (fails) {
        throw new Error("the inline program went wrong");
    }
    if (rejectsLate) {
        Promise.reject(new Error("nobody caught this"));
    }
    const thing = new pulumi.CustomResource("thing:index:Thing", "thing", { color: config.require("color"), hidden: config.requireSecret("hidden") });
    console.log("the inline program runs");
    return { color: config.require("color"), hidden: config.requireSecret("hidden"), nested: { list: [1, config.requireSecret("hidden")] }, urn: thing.urn };
}

const inline = { stackName: "dev", projectName: "inline", program };

async function inlineStack() {
    let stack;
    await claim("a stack that is not there is told apart", () => rejects(auto.LocalWorkspace.selectStack(inline), "StackNotFoundError"));
    await claim("an inline stack is made", async () => {
        stack = await auto.LocalWorkspace.createStack(inline);
        assert.strictEqual(stack.name, "dev");
    });
    await claim("a stack that is there already is told apart", () => rejects(auto.LocalWorkspace.createStack(inline), "StackAlreadyExistsError"));
    await claim("one call makes or selects", async () => {
        stack = await auto.LocalWorkspace.createOrSelectStack(inline);
    });
    return stack;
}

async function configuration(stack) {
    await claim("configuration is set and got", async () => {
        await stack.setConfig("color", { value: "blue" });
        await stack.setConfig("hidden", { value: "hush-hush", secret: true });
        assert.deepStrictEqual(await stack.getConfig("color"), { value: "blue", secret: false });
        assert.deepStrictEqual(await stack.getConfig("hidden"), { value: "hush-hush", secret: true });
    });
    await claim("a value may begin with a dash or be empty", async () => {
        await stack.setConfig("dash", { value: "-v" });
        assert.strictEqual((await stack.getConfig("dash")).value, "-v");
        await stack.setConfig("dash", { value: "" });
        assert.strictEqual((await stack.getConfig("dash")).value, "");
        await stack.removeConfig("dash");
    });
    await claim("many are set at once, with paths and secrets", async () => {
        await stack.setAllConfig({ "tree.a[0]": { value: "one" }, "tree.b": { value: "hidden-two", secret: true } }, true);
        await stack.setAllConfig({ plain: { value: "a=b,c" }, other: { value: "x y" } });
        const all = await stack.getAllConfig();
        assert.deepStrictEqual(Object.keys(all).sort(), ["inline:color", "inline:hidden", "inline:other", "inline:plain", "inline:tree"]);
        assert.strictEqual(all["inline:plain"].value, "a=b,c");
        assert.strictEqual(all["inline:hidden"].secret, true);
        assert.deepStrictEqual(JSON.parse(all["inline:tree"].value), { a: ["one"], b: "hidden-two" });
        assert.strictEqual((await stack.getConfig("tree.a[0]", true)).value, "one");
    });
    await claim("what is removed is gone", async () => {
        await stack.removeConfig("tree.b", true);
        await stack.removeAllConfig(["plain", "other", "tree"]);
        assert.deepStrictEqual(Object.keys(await stack.getAllConfig()).sort(), ["inline:color", "inline:hidden"]);
        await rejects(stack.getConfig("plain"), "CommandError");
    });
    await claim("tags are kept", async () => {
        await stack.setTag("owner", "me");
        assert.strictEqual(await stack.getTag("owner"), "me");
        assert.strictEqual((await stack.listTags()).owner, "me");
        await stack.removeTag("owner");
        assert.strictEqual((await stack.listTags()).owner, undefined);
    });
}

async function lifecycle(stack) {
    await claim("a preview counts what it would do", async () => {
        const events = [];
        const result = await stack.preview({ onEvent: eachOnce(events) });
        await lastIsCancel(events);
        assert.deepStrictEqual(result.changeSummary, { create: 2 });
        assert.ok(events.some((event) => event.resourcePreEvent));
        assert.strictEqual(events.filter((event) => event.summaryEvent).length, 1);
    });
    await claim("up tells what it does as it does it", async () => {
        const events = [];
        let text = "";
        const result = await stack.up({ onOutput: (out) => (text += out), onEvent: eachOnce(events), message: "the first" });
        assert.deepStrictEqual(result.summary.resourceChanges, { create: 2 });
        assert.strictEqual(result.summary.result, "succeeded");
        assert.strictEqual(result.summary.kind, "update");
        assert.strictEqual(result.summary.message, "the first");
        assert.ok(text.includes("the inline program runs") || result.stdout.includes("+ 2 created"), text);
        assert.deepStrictEqual(result.outputs.color, { value: "blue", secret: false });
        assert.deepStrictEqual(result.outputs.hidden, { value: "hush-hush", secret: true });
        await lastIsCancel(events);
        const kinds = new Set(events.flatMap((event) => Object.keys(event)));
        for (const kind of ["preludeEvent", "resourcePreEvent", "resOutputsEvent", "summaryEvent", "cancelEvent"]) {
            assert.ok(kinds.has(kind), kind + " is missing");
        }
        assert.deepStrictEqual(events.map((event) => event.sequence), events.map((_, i) => i));
        assert.ok(!result.stdout.includes("hush-hush") && !text.includes("hush-hush"), "a secret is shown");
        assert.ok(!JSON.stringify(events).includes("hush-hush"), "an event has a secret");
    });
    await claim("outputs know what is secret", async () => {
        const outputs = await stack.outputs();
        assert.deepStrictEqual(outputs.hidden, { value: "hush-hush", secret: true });
        assert.deepStrictEqual(outputs.nested.value, { list: [1, "hush-hush"] });
        assert.strictEqual(outputs.color.secret, false);
    });
    await claim("up again changes nothing", async () => {
        const result = await stack.up({ expectNoChanges: true, parallel: 2, color: "never", diff: true, suppressProgress: true });
        assert.deepStrictEqual(result.summary.resourceChanges, { same: 2 });
    });
    await claim("a change is seen and made", async () => {
        await stack.setConfig("color", { value: "red" });
        assert.deepStrictEqual((await stack.preview({ diff: true })).changeSummary, { same: 1, update: 1 });
        await rejects(stack.preview({ expectNoChanges: true }), "CommandError");
        const result = await stack.up({ target: [(await stack.outputs()).urn.value] });
        assert.strictEqual(result.summary.resourceChanges.update, 1);
    });
    await claim("refresh finds everything as it was", async () => {
        if (stack.previewRefresh) {
            assert.deepStrictEqual((await stack.previewRefresh()).changeSummary, { same: 2 });
        }
        const result = await stack.refresh({ expectNoChanges: true });
        assert.deepStrictEqual(result.summary.resourceChanges, { same: 2 });
        assert.strictEqual(result.summary.kind, "refresh");
    });
    await claim("history tells it all, the newest first", async () => {
        const history = await stack.history();
        assert.deepStrictEqual(history.map((update) => update.kind), ["refresh", "update", "update", "update"]);
        assert.strictEqual(history[3].message, "the first");
        assert.strictEqual(history[3].config["inline:color"].value, "blue");
        assert.ok(history[0].startTime instanceof Date && !isNaN(history[0].startTime));
        assert.strictEqual((await stack.history(1, 2)).length, 1);
        assert.strictEqual((await stack.info()).kind, "refresh");
    });
    await claim("the state is taken out and put back", async () => {
        const state = await stack.exportStack();
        assert.strictEqual(state.version, 3);
        assert.strictEqual(state.deployment.resources.length, 3);
        await stack.importStack(state);
        assert.deepStrictEqual((await stack.up()).summary.resourceChanges, { same: 2 });
    });
}

async function trouble(stack) {
    await claim("a second update at the same time is told apart", async () => {
        let release;
        hold = new Promise((resolve) => (release = resolve));
        const running = new Promise((resolve) => (started = resolve));
        const first = stack.up();
        await running;
        const second = await auto.LocalWorkspace.selectStack({ ...inline, program: async () => ({}) });
        const error = await rejects(second.up(), "ConcurrentUpdateError");
        assert.ok(String(error).includes("the stack is currently locked by 1 lock(s)"));
        release();
        await first;
        hold = undefined;
    });
    await claim("cancel takes the lock away", async () => {
        let release;
        hold = new Promise((resolve) => (release = resolve));
        const running = new Promise((resolve) => (started = resolve));
        const first = stack.up();
        await running;
        const second = await auto.LocalWorkspace.selectStack(inline);
        await second.cancel();
        release();
        await first.catch(() => {});
        hold = undefined;
        assert.strictEqual((await stack.up()).summary.result, "succeeded");
    });
    await claim("a program that fails is told with its stack, and the stack goes on", async () => {
        fails = true;
        const error = await rejects(stack.up(), "CommandError");
        assert.ok(String(error).includes("the inline program went wrong"), String(error));
        assert.ok(String(error).includes("main.js"), String(error));
        fails = false;
        assert.strictEqual((await stack.up()).summary.result, "succeeded");
        assert.strictEqual((await stack.history())[1].result, "failed");
    });
    await claim("a promise that the program lets fail fails the update", async () => {
        rejectsLate = true;
        const error = await rejects(stack.up(), "CommandError");
        assert.ok(String(error).includes("nobody caught this"), String(error));
        rejectsLate = false;
        assert.strictEqual((await stack.up()).summary.result, "succeeded");
        assert.strictEqual((await stack.history())[1].result, "failed");
    });
    await claim("an abort interrupts", async () => {
        if (!(await supportsAbort())) {
            return;
        }
        let release;
        hold = new Promise((resolve) => (release = resolve));
        const running = new Promise((resolve) => (started = resolve));
        const abort = new AbortController();
        const first = stack.up({ signal: abort.signal });
        await running;
        abort.abort();
        const error = await rejects(first, "CommandError");
        assert.ok(String(error).includes("cancel"), String(error));
        release();
        hold = undefined;
    });
}

async function supportsAbort() {
    const text = fs.readFileSync(require.resolve("@pulumi/pulumi/automation/stack"), "utf8");
    return text.includes("signal");
}

async function end(stack) {
    await claim("a stack is renamed", async () => {
        await stack.rename({ stackName: "renamed" });
        assert.deepStrictEqual((await stack.workspace.listStacks()).map((one) => one.name), ["renamed"]);
        assert.strictEqual((await stack.workspace.getConfig("renamed", "color")).value, "red");
    });
    stack = await auto.LocalWorkspace.selectStack({ ...inline, stackName: "renamed" });
    await claim("a stack with resources is not removed", () => rejects(stack.workspace.removeStack("renamed"), "CommandError"));
    await claim("destroy removes everything", async () => {
        if (stack.previewDestroy) {
            assert.deepStrictEqual((await stack.previewDestroy()).changeSummary, { delete: 2 });
        }
        const result = await stack.destroy();
        assert.deepStrictEqual(result.summary.resourceChanges, { delete: 2 });
    });
    await claim("the stack is removed", async () => {
        await stack.workspace.removeStack("renamed");
        await rejects(auto.LocalWorkspace.selectStack({ ...inline, stackName: "renamed" }), "StackNotFoundError");
    });
}

// --- a program in a folder ---

async function localProgram() {
    const local = { stackName: "dev", workDir: path.join(__dirname, "program") };
    const stack = await auto.LocalWorkspace.createStack(local);
    await claim("a program in a folder goes through its life", async () => {
        await stack.setAllConfig({ color: { value: "green" }, hidden: { value: "hush-hush", secret: true } });
        const result = await stack.up();
        assert.ok(result.stdout.includes("the local program runs"), result.stdout);
        assert.ok(!result.stdout.includes("hush-hush"), result.stdout);
        assert.deepStrictEqual(result.outputs.color, { value: "green", secret: false });
        assert.deepStrictEqual(result.outputs.hidden, { value: "hush-hush", secret: true });
        assert.deepStrictEqual((await stack.preview()).changeSummary, { same: 2 });
    });
    await claim("what is wrong with it is shown", async () => {
        await stack.setConfig("how", { value: "throw" });
        const error = await rejects(stack.up(), "CommandError");
        assert.ok(String(error).includes("failed with an unhandled exception"), String(error));
        assert.ok(String(error).includes("Error: this went wrong"), String(error));
        await stack.removeConfig("how");
    });
    await claim("a resource is imported", async () => {
        const result = await stack.import({ resources: [{ type: "thing:index:Thing", name: "found", id: "known" }], generateCode: false, protect: false });
        assert.strictEqual(result.summary.kind, "resource-import");
        assert.strictEqual(result.summary.resourceChanges.import, 1);
    });
    await claim("the workspace lists its stacks", async () => {
        await auto.LocalWorkspace.createStack({ ...local, stackName: "second" });
        const stacks = await stack.workspace.listStacks();
        assert.deepStrictEqual(stacks.map((one) => [one.name, one.current]), [["dev", false], ["second", true]]);
        assert.strictEqual(stacks[0].resourceCount, 4);
        assert.ok(!isNaN(new Date(stacks[0].lastUpdate)));
        await stack.workspace.removeStack("second");
    });
    await claim("settings are read and written", async () => {
        assert.strictEqual((await stack.workspace.projectSettings()).name, "local");
        const settings = await stack.workspace.stackSettings("dev");
        assert.strictEqual(settings.config["local:color"], "green");
        assert.ok(settings.config["local:hidden"].secure);
    });
    await claim("destroy can remove the stack as well", async () => {
        await stack.destroy({ remove: true });
        assert.deepStrictEqual(await stack.workspace.listStacks(), []);
    });
    return stack;
}

// --- the workspace ---

// A server with one plugin on it.
async function serve() {
    const provider = fs.realpathSync(child.execSync("command -v pulumi-resource-thing", { encoding: "utf8" }).trim());
    const folder = fs.mkdtempSync(path.join(process.env.SCENARIO_DIR, "plugin-"));
    fs.copyFileSync(provider, path.join(folder, "pulumi-resource-other"));
    child.execSync("tar czf other.tar.gz pulumi-resource-other", { cwd: folder });
    const server = http.createServer((request, response) => {
        const isIt = /^\/pulumi-resource-other-v1.2.3-linux-[a-z0-9]+.tar.gz$/.test(request.url);
        response.writeHead(isIt ? 200 : 404).end(isIt ? fs.readFileSync(path.join(folder, "other.tar.gz")) : "");
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return server;
}

async function workspace(stack) {
    const ws = stack.workspace;
    await claim("it is known who I am", async () => {
        const who = await ws.whoAmI();
        assert.ok(who.user && who.url.startsWith("file://"), JSON.stringify(who));
    });
    await claim("plugins are installed, listed and removed", async () => {
        const server = await serve();
        await ws.installPluginFromServer("other", "v1.2.3", `http://127.0.0.1:${server.address().port}`);
        await ws.installPlugin("other", "v1.2.3"); // it is there
        server.close();
        const plugins = await ws.listPlugins();
        assert.deepStrictEqual(plugins.map((one) => [one.name, one.kind, one.version]), [["other", "resource", "1.2.3"]]);
        await ws.removePlugin("other", "1.2.3");
        assert.deepStrictEqual(await ws.listPlugins(), []);
    });
    await claim("a plugin that is not to be had is told", () =>
        rejects(ws.installPluginFromServer("other", "v9.9.9", "http://127.0.0.1:9"), "CommandError"));
    await claim("the version is that of a Pulumi the SDK accepts", async () => {
        assert.match(ws.pulumiVersion, /^v?3\.\d+\.\d+$/);
    });
}

(async () => {
    const stack = await inlineStack();
    await configuration(stack);
    await lifecycle(stack);
    await trouble(stack);
    await end(stack);
    await workspace(await localProgram());
    process.exit(failures ? 1 : 0);
})();
