"""What a policy pack can be: advice, a rule that forbids, a repair, a rule for the whole stack, with configuration."""
from pulumi_policy import (EnforcementLevel, PolicyConfigSchema, PolicyPack, ResourceValidationPolicy, StackValidationPolicy)


def is_thing(args):
    return args.resource_type == "thing:index:Thing"


def no_grey(args, report):
    if is_thing(args) and args.props["color"] == "grey":
        report(f"{args.name} is grey")


def no_black(args, report):
    if is_thing(args) and args.props["color"] == "black":
        report(f"{args.name} is black; options {str(args.opts.protect).lower()}; hidden string")


def tag(args):
    if is_thing(args) and "tags" not in args.props:
        args.props["tags"] = {"owner": "pack"}
        return args.props  # a copy of it would not know what is secret
    return None


def few(args, report):
    things = sorted(one.name for one in args.resources if one.resource_type == "thing:index:Thing")
    if len(things) > args.get_config()["most"]:
        report(f"{len(things)} are too many: {', '.join(things)}")


def off(args, report):
    raise ValueError("it was asked")


PolicyPack("colors", policies=[
    ResourceValidationPolicy("no-grey", "Grey is dull", no_grey, EnforcementLevel.ADVISORY),
    ResourceValidationPolicy("no-black", "Black absorbs light", no_black, EnforcementLevel.MANDATORY),
    ResourceValidationPolicy("tagged", "Everything has tags", enforcement_level=EnforcementLevel.REMEDIATE, remediate=tag),
    StackValidationPolicy("few", "A stack is small", few, EnforcementLevel.MANDATORY,
                          PolicyConfigSchema({"most": {"type": "integer", "default": 5}})),
    ResourceValidationPolicy("off", "This is never asked", off, EnforcementLevel.DISABLED),
])
