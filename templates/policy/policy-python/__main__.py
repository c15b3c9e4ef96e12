from pulumi_policy import (
    EnforcementLevel,
    PolicyPack,
    ResourceValidationPolicy,
    StackValidationPolicy,
)


def short_names(args, report_violation):
    if len(args.name) > 60:
        report_violation(f"the name of {args.name} is too long")


def small_stacks(args, report_violation):
    if len(args.resources) > 100:
        report_violation(f"the stack has {len(args.resources)} resources")


PolicyPack(
    name="policy-pack",
    policies=[
        ResourceValidationPolicy(
            name="short-names",
            description="Names of resources have at most 60 characters.",
            validate=short_names,
            enforcement_level=EnforcementLevel.MANDATORY,
        ),
        StackValidationPolicy(
            name="small-stacks",
            description="A stack has at most 100 resources.",
            validate=small_stacks,
            enforcement_level=EnforcementLevel.ADVISORY,
        ),
    ],
)
