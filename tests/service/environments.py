"""environments.py — environments of the test service: definitions are read, kept and evaluated as far as the command line writes them."""
import base64
import json
import re
import zlib


class Wrong(Exception):
    pass


# --- the YAML that the command line writes: block style, one line for each scalar ---


def scalar(text):
    if text.startswith('"') or text in ("{}", "[]", "true", "false", "null") or re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return json.loads(text)
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    return text


def key_and_rest(text):
    found = re.match(r'("(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'|.+?):(?: (.*))?$', text)
    if not found:
        raise Wrong(f"no key in '{text}'")
    return scalar(found[1]), found[2]


def block(lines, indent):
    """Takes the lines that are indented at least like this."""
    first = lines[0].lstrip()
    result = [] if first.startswith("- ") else {}
    while lines and len(lines[0]) - len(lines[0].lstrip()) == indent:
        text = lines.pop(0).lstrip()
        if isinstance(result, list):
            text = text[2:]
            if re.match(r'(?:"[^"]*"|[^"\'\s]+):(?: |$)', text):
                lines.insert(0, " " * (indent + 2) + text)
                result.append(block(lines, indent + 2))
            else:
                result.append(scalar(text))
            continue
        key, rest = key_and_rest(text)
        if rest is not None:
            result[key] = scalar(rest)
        else:
            result[key] = block(lines, len(lines[0]) - len(lines[0].lstrip()))
    return result


def parse(text):
    return json.loads(text) if text.lstrip().startswith("{") else block([line for line in text.split("\n") if line.strip()], 0)


# --- what it means ---


def sealed(text):
    raw = base64.b64decode(text, validate=True)
    return raw[:8] == b"escx\0\0\0\1" and zlib.crc32(raw[:-4]) == int.from_bytes(raw[-4:], "big")


def evaluate(value, is_check):
    """Each value in its envelope; secrets are not told by a check."""
    if isinstance(value, dict) and list(value) == ["fn::secret"]:
        secret = value["fn::secret"]
        if isinstance(secret, dict) and not sealed(secret["ciphertext"]):
            raise Wrong("invalid ciphertext")
        return {"value": "[unknown]", "unknown": True, "secret": True, "trace": {}} if is_check else {"value": secret, "secret": True, "trace": {}}
    if isinstance(value, dict):
        value = {key: evaluate(one, is_check) for key, one in value.items()}
    elif isinstance(value, list):
        value = [evaluate(one, is_check) for one in value]
    elif isinstance(value, str):
        if "${" in value.replace("$$", ""):
            raise Wrong(f"unknown property in '{value}'")
        value = value.replace("$$", "$")
    return {"value": value, "trace": {}}


class Environments:
    def __init__(self):
        self.kept = {}  # by organization, project and name

    def properties(self, organization, text, is_check):
        """None: it is none of those that are kept here."""
        if text.startswith("values:"):
            return {key: evaluate(value, is_check) for key, value in parse(text)["values"].items()}
        names = parse(text).get("imports") or []
        found = [self.kept.get((organization, *name.split("/"))) for name in names if isinstance(name, str)]
        if not found or None in found:
            return None
        merged = {}
        for definition in found:
            merged.update(parse(definition)["values"]["pulumiConfig"])
        return {"pulumiConfig": evaluate(merged, is_check)}

    def create(self, organization, request):
        key = (organization, request["project"], request["name"])
        if key in self.kept:
            raise FileExistsError
        self.kept[key] = "values: {}"

    def define(self, organization, project, name, text):
        if "ciphertext" in text:
            raise Wrong("nobody can open this ciphertext")
        self.properties(organization, text, True)
        if (organization, project, name) not in self.kept:
            raise FileNotFoundError
        self.kept[organization, project, name] = text
