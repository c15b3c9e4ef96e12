"""What all modules of this SDK share."""
import asyncio
import os
import typing

import pulumi
import pulumi.runtime
import semver
from pulumi._utils import lazy_import
from pulumi.runtime.sync_await import _sync_await

deprecated = pulumi.deprecated

_TRUE = ("1", "t", "T", "true", "TRUE", "True")
_FALSE = ("0", "f", "F", "false", "FALSE", "False")

# Inputs whose names are those of parameters that every resource has.
_RENAMED = {"resource_name": "resource_name_", "opts": "opts_"}


# --- environment ---


@typing.overload
def get_env(*names: str, default: str) -> str: ...
@typing.overload
def get_env(*names: str, default: None = None) -> typing.Optional[str]: ...
def get_env(*names: str, default: typing.Optional[str] = None) -> typing.Optional[str]:
    """The first of these variables that is set."""
    for name in names:
        value = os.environ.get(name)
        if value is not None:
            return value or default
    return default


@typing.overload
def get_env_bool(*names: str, default: bool) -> bool: ...
@typing.overload
def get_env_bool(*names: str, default: None = None) -> typing.Optional[bool]: ...
def get_env_bool(*names: str, default: typing.Optional[bool] = None) -> typing.Optional[bool]:
    value = get_env(*names)
    if value in _TRUE:
        return True
    return False if value in _FALSE else default


@typing.overload
def get_env_int(*names: str, default: int) -> int: ...
@typing.overload
def get_env_int(*names: str, default: None = None) -> typing.Optional[int]: ...
def get_env_int(*names: str, default: typing.Optional[int] = None) -> typing.Optional[int]:
    try:
        return int(get_env(*names) or "")
    except ValueError:
        return default


@typing.overload
def get_env_float(*names: str, default: float) -> float: ...
@typing.overload
def get_env_float(*names: str, default: None = None) -> typing.Optional[float]: ...
def get_env_float(*names: str, default: typing.Optional[float] = None) -> typing.Optional[float]:
    try:
        return float(get_env(*names) or "")
    except ValueError:
        return default


# --- versions ---


def version_of_distribution() -> str:
    """The version under which this SDK is installed, as a semantic version."""
    import importlib.metadata

    import parver

    found = parver.Version.parse(importlib.metadata.version(__name__.split(".")[0]))
    major, minor, patch = (tuple(found.release) + (0, 0))[:3]
    marks = {"a": "alpha", "b": "beta", "rc": "rc"}
    pre = None
    if found.pre_tag in marks:
        pre = f"{marks[found.pre_tag]}.{found.pre}"
    elif found.dev is not None:
        pre = f"dev.{found.dev}"
    elif found.local is not None:
        pre = found.local
    return f"{major}.{minor}.{patch}" + (f"-{pre}" if pre else "")


# --- options and arguments of resources and functions ---


def get_resource_opts_defaults() -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(
        version=get_version(), plugin_download_url=get_plugin_download_url()
    )


def get_invoke_opts_defaults() -> pulumi.InvokeOptions:
    return pulumi.InvokeOptions(
        version=get_version(), plugin_download_url=get_plugin_download_url()
    )


def with_default_opts(opts: typing.Optional[pulumi.ResourceOptions]) -> pulumi.ResourceOptions:
    if opts is not None and not isinstance(opts, pulumi.ResourceOptions):
        raise TypeError(f"opts is a {type(opts).__name__}, not pulumi.ResourceOptions")
    return pulumi.ResourceOptions.merge(get_resource_opts_defaults(), opts)


def get_resource_args_opts(resource_args_type, resource_options_type, *args, **kwargs):
    """The object with arguments and the options that a constructor was given, if any."""
    rest = list(args)
    given = rest.pop(0) if rest and isinstance(rest[0], resource_args_type) else kwargs.get("args")
    if not isinstance(given, resource_args_type):
        given = None
    has_opts = bool(rest) and isinstance(rest[0], resource_options_type)
    return given, rest[0] if has_opts else kwargs.get("opts")


def spread_args(args_type: type, args: tuple, kwargs: dict) -> typing.Tuple[tuple, dict]:
    """Arguments by name, of a constructor that was given them as one object."""
    given, opts = get_resource_args_opts(args_type, pulumi.ResourceOptions, *args, **kwargs)
    if given is None:
        return args, kwargs
    return (opts,), {_RENAMED.get(name, name): value for name, value in given.__dict__.items()}


def new_props(args_type: type, given: typing.Any = None) -> typing.Any:
    """An object for the properties of a resource, which nobody checks."""
    if given is not None:
        raise TypeError("__props__ is for resources that are looked up by their id only")
    return object.__new__(args_type)


def check_no_id(opts: pulumi.ResourceOptions) -> None:
    if opts.id is not None:
        raise ValueError("a component cannot be looked up: opts.id must not be set")


def check_type(name: str, value: typing.Any, types: typing.Any) -> None:
    if value and not isinstance(value, types):
        raise TypeError(f"'{name}' is a {type(value).__name__}, not {types}")


def as_secret(value: typing.Any) -> typing.Any:
    return None if value is None else pulumi.Output.secret(value)


def as_json(value: typing.Any, is_secret: bool = False) -> typing.Any:
    """Text of what a provider is configured with."""
    if value is None:
        return None
    output = pulumi.Output.secret(value) if is_secret else pulumi.Output.from_input(value)
    return output.apply(pulumi.runtime.to_json)


# --- warnings ---


def warn_deprecated(name: str, message: str) -> None:
    import warnings

    warnings.warn(message, DeprecationWarning)
    pulumi.log.warn(f"{name} is deprecated: {message}")


def warn_spelling(class_name: str, spelling: typing.Mapping[str, str], key: str) -> None:
    if key in spelling:
        pulumi.log.warn(f"{class_name} has no key '{key}': use the property '{spelling[key]}'")


# --- methods ---


def call_plain(
    tok: str,
    props: pulumi.Inputs,
    res: typing.Optional[pulumi.Resource] = None,
    typ: typing.Optional[type] = None,
    package_ref: typing.Any = None,
) -> typing.Any:
    """Calls a method and waits for what it gives."""

    async def wait(output):
        return await output._future, await output._is_known, await output._is_secret

    output = pulumi.runtime.call(tok, props, res, typ, package_ref=package_ref)
    value, is_known, is_secret = _sync_await(asyncio.ensure_future(wait(output)))
    if not is_known or is_secret:
        what = "a secret" if is_known else "a value that is not known yet"
        raise AssertionError(f"the provider answers {tok} with {what}, which it must not")
    return value


# --- resources that others refer to ---


class _Classes(pulumi.runtime.ResourceModule):
    """The classes of a module, by type."""

    def __init__(self) -> None:
        self.places: typing.Dict[str, str] = {}

    def version(self):
        return semver.VersionInfo.parse(get_version())

    def construct(self, name: str, typ: str, urn: str) -> pulumi.Resource:
        if typ not in self.places:
            raise Exception(f"this SDK has no resource of the type {typ}")
        return _load(self.places[typ])(name, pulumi.ResourceOptions(urn=urn))


class _Provider(pulumi.runtime.ResourcePackage):
    def __init__(self, package: str, place: str) -> None:
        self.token = f"pulumi:providers:{package}"
        self.place = place

    def version(self):
        return semver.VersionInfo.parse(get_version())

    def construct_provider(self, name: str, typ: str, urn: str) -> pulumi.ProviderResource:
        if typ != self.token:
            raise Exception(f"this SDK has no provider of the type {typ}")
        return _load(self.place)(name, pulumi.ResourceOptions(urn=urn))


def _load(place: str) -> typing.Any:
    module, name = place.split(":")
    return getattr(lazy_import(module), name)


def register(
    package: str, resources: typing.Mapping[str, str], provider: typing.Optional[str] = None
) -> None:
    """Makes the classes of this SDK known: "module:class" for each type."""
    modules: typing.Dict[str, _Classes] = {}
    for token, place in resources.items():
        modules.setdefault(token.split(":")[1], _Classes()).places[token] = place
    if provider is not None:
        pulumi.runtime.register_resource_package(package, _Provider(package, provider))
    for name, classes in modules.items():
        pulumi.runtime.register_resource_module(package, name, classes)


# --- this package ---
