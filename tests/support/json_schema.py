"""Whether a value fits a JSON Schema: the words that this project's OpenAPI document uses."""
import re

KINDS = {"string": str, "boolean": bool, "object": dict, "array": list, "null": type(None)}


def is_kind(value, kind):
    if kind == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, KINDS[kind])


def faults(value, schema, document, at="$"):
    """Sentences, each with the place of its fault."""
    if "$ref" in schema:
        target = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return faults(value, target, document, at)
    found = []
    for each in schema.get("allOf", []):
        found += faults(value, each, document, at)
    for word in ("anyOf", "oneOf"):
        if word in schema and all(faults(value, each, document, at) for each in schema[word]):
            found.append(f"{at} fits none of {word}")
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_kind(value, kind) for kind in kinds):
        return [*found, f"{at} is {type(value).__name__}, not {kinds}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{at} is {value!r}, none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{at} is {value!r}, not {schema['const']!r}")
    if isinstance(value, dict):
        found += [f"{at} lacks {name}" for name in schema.get("required", []) if name not in value]
        for name, member in schema.get("properties", {}).items():
            if name in value:
                found += faults(value[name], member, document, f"{at}.{name}")
    if isinstance(value, list) and "items" in schema:
        for place, item in enumerate(value):
            found += faults(item, schema["items"], document, f"{at}[{place}]")
    if isinstance(value, str):
        if len(value) > schema.get("maxLength", len(value)) or len(value) < schema.get("minLength", 0):
            found.append(f"{at} has a length of {len(value)}")
        if schema.get("format") == "date-time" and not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value):
            found.append(f"{at} is no moment: {value}")
        if schema.get("format") == "date" and not re.fullmatch(r"\d{4}-\d\d-\d\d", value):
            found.append(f"{at} is no day: {value}")
    if is_kind(value, "number"):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            found.append(f"{at} is {value}")
    return found
