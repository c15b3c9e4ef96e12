"""What an SDK of a cloud is for the programs of templates: any class of a module, made with any arguments."""
import pulumi


def camel(name):
    head, *rest = name.split("_")
    return head + "".join(word.title() for word in rest)


def plain(value):
    """Keys of arguments as the provider has them."""
    if isinstance(value, dict):
        return {camel(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def resource(token, outputs=()):
    """A class of resources."""

    class Resource(pulumi.CustomResource):
        def __init__(self, name, opts=None, **args):
            super().__init__(token, name, {**{key: None for key in outputs}, **plain(args)}, opts)

    for output in outputs:
        setattr(Resource, output, property(lambda self, key=output: pulumi.get(self, key)))
    return Resource
