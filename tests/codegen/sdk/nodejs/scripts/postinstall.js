// Compiles the SDK where it lies; a package manager runs this when it installs it into a project.
const { spawnSync } = require("node:child_process");
const { copyFileSync, readFileSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

// Types that other packages of the project bring along may not suit this compiler.
const types = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter(name => name.startsWith("@types/"))
    .map(name => name.slice("@types/".length));
const compiler = require.resolve("typescript/bin/tsc", { paths: [root] });
const result = spawnSync(process.execPath, [compiler, "--project", root, "--types", types.join(",")], {
    cwd: root,
    stdio: "inherit",
});
if (result.status !== 0) {
    console.error(`the SDK of ${manifest.name} could not be compiled`);
    process.exit(1);
}

// The compiled code reads its version there.
copyFileSync(join(root, "package.json"), join(root, "bin", "package.json"));
