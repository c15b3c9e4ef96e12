import pulumi

# Resources and outputs go here.
pulumi.export("project", pulumi.get_project())
