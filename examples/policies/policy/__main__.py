"""The rules of the house. Each is a function that is asked about one resource, or about the whole stack."""
from pulumi_policy import EnforcementLevel, PolicyConfigSchema, PolicyPack, ResourceValidationPolicy, StackValidationPolicy

PASSWORD = "random:index/randomPassword:RandomPassword"
COMMAND = "command:local:Command"


def long_passwords(args, report):
    least = args.get_config()["least"]
    if args.resource_type == PASSWORD and args.props["length"] < least:
        report(f"'{args.name}' has {args.props['length']:g} characters; {least:g} are the least")


def tidy_commands(args, report):
    if args.resource_type == COMMAND and not args.props.get("delete"):
        report(f"'{args.name}' has no `delete`: what it makes stays when the stack is gone")


def say_who(args):
    """A repair: whatever runs is told for whom it runs."""
    if args.resource_type != COMMAND or "OWNER" in args.props.get("environment", {}):
        return None
    args.props["environment"] = {**args.props.get("environment", {}), "OWNER": "payments-team"}
    return args.props


def small_stacks(args, report):
    if len(args.resources) > 50:
        report(f"{len(args.resources)} resources are hard to review: split the stack")


PolicyPack("house-rules", policies=[
    ResourceValidationPolicy("long-passwords", "Passwords are long.", long_passwords, EnforcementLevel.MANDATORY,
                             PolicyConfigSchema({"least": {"type": "integer", "default": 16}})),
    ResourceValidationPolicy("tidy-commands", "Commands clean up behind them.", tidy_commands, EnforcementLevel.ADVISORY),
    ResourceValidationPolicy("say-who", "Commands know for whom they run.", enforcement_level=EnforcementLevel.REMEDIATE, remediate=say_who),
    StackValidationPolicy("small-stacks", "Stacks stay small.", small_stacks, EnforcementLevel.ADVISORY),
])
