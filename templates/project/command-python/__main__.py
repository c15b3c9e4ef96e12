import pulumi
from pulumi_command import local

run = local.Command("greeting", create='echo "Hello from $(uname -s)"')

pulumi.export("greeting", run.stdout)
