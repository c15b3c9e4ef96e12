import * as command from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const greeting = config.get("greeting") ?? "Hello";
const color = config.get("color") ?? "teal";
const folder = `${process.cwd()}/site`;

const pet = new random.RandomPet("name");
const secret = new random.RandomBytes("key", { length: 16 });

const page = new command.local.Command("page", {
    create: 'mkdir -p "$SITE" && cat > "$SITE/index.html" && wc -c < "$SITE/index.html"',
    delete: 'rm -rf "$SITE"',
    logging: command.local.Logging.None,
    environment: { SITE: folder },
    stdin: pulumi.interpolate`<!doctype html>
<title>${greeting}</title>
<body style="font: 6vmin sans-serif; margin: 20vmin; color: white; background: ${color}">
<h1>${greeting}, ${pet.id}!</h1>
<p>Stack ${pulumi.getStack()} of project ${pulumi.getProject()}.</p>
`,
});

export const url = `file://${folder}/index.html`;
export const name = pet.id;
export const key = secret.hex;
export const bytes = page.stdout;
