"""The floor of a cold build: parse each definition, make its Tool, write all of them to one file.

    python compile_all.py toml|yaml|json DEFINITIONS MANIFEST

It knows the keys of the measured definition and no others, and checks nothing.
"""

import json
import os
import sys
from typing import Any


def parse_toml(data: bytes) -> Any:
    return tomli.loads(data.decode())


def parse_json(data: bytes) -> Any:
    return json.loads(data)


def parse_yaml(data: bytes) -> Any:
    return yaml.load(data, yaml.CSafeLoader)


def schema_of(entry: dict[str, Any]) -> dict[str, Any]:
    container, _, kind = entry["type"].rpartition(":")
    schema: dict[str, Any] = {"type": {"int": "integer"}.get(kind, kind)}
    if "properties" in entry:
        schema |= object_of(entry["properties"])
    if container:
        schema = {"type": "array", "items": schema}
    for key in KEPT:
        if key in entry:
            schema[key] = entry[key]
    return schema


def object_of(entries: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {entry["name"]: schema_of(entry) for entry in entries},
        "required": [entry["name"] for entry in entries if entry.get("required")],
    }


def tool_of(name: str, value: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "title": value["title"],
        "description": value["description"],
        "inputSchema": object_of(value["parameters"]) | {"additionalProperties": False},
        "outputSchema": object_of(value["output"]),
        "annotations": {
            "readOnlyHint": value["readOnly"],
            "openWorldHint": value["openWorld"],
        },
    }


KEPT = ("description", "default", "minimum", "maximum", "minItems", "maxItems", "format")

notation, definitions, manifest = sys.argv[1:]
if notation == "toml":
    import tomli

    parse = parse_toml
elif notation == "yaml":
    import yaml

    parse = parse_yaml
else:
    parse = parse_json

lines = []
for folder in sorted(os.listdir(definitions)):
    for file in sorted(os.listdir(f"{definitions}/{folder}")):
        descriptor = os.open(f"{definitions}/{folder}/{file}", os.O_RDONLY)
        data = os.read(descriptor, 8192)
        os.close(descriptor)
        name = file.rpartition(".")[0]
        lines.append((name, json.dumps(tool_of(name, parse(data)))))
lines.sort()
with open(manifest, "w", encoding="utf-8") as stream:
    stream.write('{"tools": [\n' + ",\n".join(line for _, line in lines) + "\n]}\n")
