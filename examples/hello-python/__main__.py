import os

import pulumi
import pulumi_command as command
import pulumi_random as random

config = pulumi.Config()
greeting = config.get("greeting") or "Hello"
color = config.get("color") or "teal"
folder = os.path.join(os.getcwd(), "site")

pet = random.RandomPet("name")
secret = random.RandomBytes("key", length=16)

page = command.local.Command(
    "page",
    create='mkdir -p "$SITE" && cat > "$SITE/index.html" && wc -c < "$SITE/index.html"',
    delete='rm -rf "$SITE"',
    logging=command.local.Logging.NONE,
    environment={"SITE": folder},
    stdin=pulumi.Output.concat(f"""<!doctype html>
<title>{greeting}</title>
<body style="font: 6vmin sans-serif; margin: 20vmin; color: white; background: {color}">
<h1>{greeting}, """, pet.id, f"""!</h1>
<p>Stack {pulumi.get_stack()} of project {pulumi.get_project()}.</p>
"""),
)

pulumi.export("url", f"file://{folder}/index.html")
pulumi.export("name", pet.id)
pulumi.export("key", secret.hex)
pulumi.export("bytes", page.stdout)
