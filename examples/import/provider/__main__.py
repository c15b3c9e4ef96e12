"""A provider of one resource: a line in the file $ZONE_FILE. `read` is what an import needs: from an id it finds the whole record."""
import json
import os
import sys

from pulumi.provider.experimental.property_value import PropertyValue
from pulumi.provider.experimental.provider import (
    CheckFailure, CheckResponse, ConfigureResponse, CreateResponse, DiffResponse, GetSchemaResponse, PropertyDiff, PropertyDiffKind, Provider,
    ReadResponse, UpdateResponse)
from pulumi.provider.experimental.server import main

FILE = os.environ["ZONE_FILE"]
KEYS = ("name", "kind", "value")
PROPERTIES = {key: {"type": "string"} for key in KEYS}
SCHEMA = {
    "name": "zone",
    "version": "0.1.0",
    "resources": {
        "zone:index:Record": {
            "description": "A record of the zone",
            "properties": PROPERTIES,
            "required": KEYS,
            "inputProperties": PROPERTIES,
            "requiredInputs": KEYS,
        },
    },
}


def id_of(record):
    return f"{record['name']}/{record['kind']}"


def load():
    """The records by id, in the order of the file."""
    with open(FILE, encoding="utf-8") as file:
        records = [dict(zip(KEYS, line.split())) for line in file if line.strip()]
    return {id_of(record): record for record in records}


def save(records):
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        file.writelines(f"{record['name']:<7}{record['kind']:<7}{record['value']}\n" for record in records.values())
    os.replace(FILE + ".new", FILE)


def plain(properties):
    return {key: properties[key].value for key in KEYS if key in properties}


def wrap(record):
    return {key: PropertyValue(value) for key, value in record.items()}


class Zone(Provider):
    async def get_schema(self, request):
        return GetSchemaResponse(json.dumps(SCHEMA))

    async def check_config(self, request):
        return CheckResponse(request.new_inputs)

    async def diff_config(self, request):
        return DiffResponse()

    async def configure(self, request):
        return ConfigureResponse(supports_preview=False)

    async def check(self, request):
        failures = [CheckFailure(key, "must be one word") for key in KEYS
                    if isinstance(request.new_inputs[key].value, str) and len(request.new_inputs[key].value.split()) != 1]
        return CheckResponse(request.new_inputs, failures)

    async def diff(self, request):
        old, new = plain(request.old_state), plain(request.new_inputs)
        kinds = {key: PropertyDiffKind.UPDATE if key == "value" else PropertyDiffKind.UPDATE_REPLACE for key in KEYS if old.get(key) != new[key]}
        return DiffResponse(bool(kinds), replaces=[key for key in kinds if key != "value"], diffs=list(kinds), delete_before_replace=True,
                            detailed_diff={key: PropertyDiff(kind, input_diff=True) for key, kind in kinds.items()})

    async def create(self, request):
        record = plain(request.properties)
        save({**load(), id_of(record): record})
        return CreateResponse(id_of(record), request.properties)

    async def read(self, request):
        record = load().get(request.resource_id)
        return ReadResponse(request.resource_id, wrap(record), wrap(record)) if record else ReadResponse("")

    async def update(self, request):
        save({**load(), request.resource_id: plain(request.news)})
        return UpdateResponse(request.news)

    async def delete(self, request):
        save({key: record for key, record in load().items() if key != request.resource_id})


main(sys.argv[1:], SCHEMA["version"], Zone())
