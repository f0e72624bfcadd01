"""Walks the routes of /openapi.json: makes bodies of their schemas, finds the ids their paths want, mends what is refused."""
import http.client
import itertools
import re

from proving import day, not_limited

NUMBERS = itertools.count()
TIME = "^([01][0-9]|2[0-3])"


def kind_of(schema):
    kind = schema.get("type")
    return next((one for one in kind if one != "null"), None) if isinstance(kind, list) else kind


def joined(first, second):
    """Two schemas of one object as one."""
    both = {**first, **second}
    if "properties" in first and "properties" in second:
        shared = {name: joined(first["properties"][name], its) if name in first["properties"] else its
                  for name, its in second["properties"].items()}
        both["properties"] = {**first["properties"], **shared}
    if "required" in first and "required" in second:
        both["required"] = first["required"] + second["required"]
    return both


def written_out(document, schema):
    """The value, or all values below it, with the components that it refers to in their places; allOf is one schema."""
    if isinstance(schema, list):
        return [written_out(document, each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    nullable = isinstance(schema.get("oneOf"), list)
    pointer = (schema["oneOf"][0] if nullable else schema).get("$ref")
    if not isinstance(pointer, str):
        written = {name: written_out(document, each) for name, each in schema.items()}
        if not isinstance(written.get("allOf"), list):
            return written
        whole = {}
        for part in written.pop("allOf"):
            whole = joined(whole, part)
        return joined(whole, written)
    whole = document
    for name in pointer.split("/")[1:]:
        whole = whole[name]
    own = {name: each for name, each in schema.items() if name not in ("$ref", "oneOf")}
    return written_out(document, whole) | ({"type": ["object", "null"]} if nullable else {}) | own


def sample(schema, name="", text=lambda name, longest: "plain"[:longest]):
    """A value of the schema; every free text is what `text` answers for its name and length."""
    kind = kind_of(schema)
    if "enum" in schema:
        return next((one for one in ("publish", "active", "pending") if one in schema["enum"]), schema["enum"][0])
    if kind == "object":
        inside = {each: sample(its, each, text) for each, its in schema.get("properties", {}).items()}
        if isinstance(schema.get("additionalProperties"), dict):
            inside |= {"note": sample(schema["additionalProperties"], "note", text)}
        return inside
    if kind == "array":
        return [sample(schema.get("items", {}), name, text)]
    if kind == "integer":
        return max(schema.get("minimum", 1), min(10, schema.get("maximum", 10)))
    if kind == "number":
        return max(schema.get("minimum", 0), min(12, schema.get("maximum", 12)))
    if kind == "boolean":
        return True
    if kind == "string":
        if schema.get("format") == "date":
            return day()
        if schema.get("format") == "date-time":
            return day() + "T08:00:00Z"
        if schema.get("format") == "email":
            return "ada@example.org"
        if schema.get("pattern", "").startswith(TIME):
            return "09:00"
        return text(name, schema.get("maxLength", 1000))
    return text(name, 1000)


def fetched(site, method, path, body=None, headers=None):
    """One answer as bytes: (status, headers as pairs, body)."""
    connection = http.client.HTTPConnection("127.0.0.1", site.servers[0].port, timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.getheaders(), answer.read()
    finally:
        connection.close()


def elsewhere():
    """The header of a request from an address that no other one came from: guesses at a secret are counted by address, and
    would be refused before anything else is looked at."""
    n = next(NUMBERS)
    return {"X-Forwarded-For": f"198.{18 + n // 65536 % 2}.{n // 256 % 256}.{n % 256}"}


def uploaded(site, name, data, **fields):
    """A file sent as a form; its number."""
    parts = [f'--edge\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode() for k, v in fields.items()]
    parts.append(f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode() + data)
    return fetched(site, "POST", "/svc/v1/media", b"".join(parts) + b"\r\n--edge--\r\n",
                   {**site.staff, "Content-Type": "multipart/form-data; boundary=edge"})


def with_everything(site):
    """A licence as the licence server's answer would leave it, and every module on."""
    not_limited(site)
    site.sql("INSERT INTO svc_license (id, site_id, license_key, status, plan_tier, created_at, updated_at)"
             " VALUES (1, 'test', '', 'active', 'agency', 0, 0)")
    for module in site.as_staff("GET", "/modules").data:
        assert site.as_staff("POST", f"/modules/{module['slug']}/toggle", {"enabled": True}).status == 200, module
    site.as_staff("POST", "/payment/gateways/bank_transfer/config", {"enabled": True, "account_number": "DE02"})


def texts_in(value):
    if isinstance(value, dict):
        for each in value.values():
            yield from texts_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_in(each)
    elif isinstance(value, str):
        yield value


class Walk:
    """The routes of a site, and the ids of what was made so far by the path that made it."""

    def __init__(self, site):
        self.site, self.ids = site, {}
        self.document = site.as_staff("GET", "/openapi.json").json
        self.paths = written_out(self.document, self.document["paths"])

    def routes(self, *methods):
        return [(method.upper(), path, route) for path, ways in self.paths.items() for method, route in ways.items()
                if method in methods]

    @staticmethod
    def body_schema(route):
        return route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")

    def known(self, path, ident):
        self.ids.setdefault(path, ident)

    def filled(self, path):
        """The path with ids of things that are there; None when there is none of that kind."""
        parts, done = path.split("/"), []
        for part in parts:
            if part.startswith("{"):
                name, before = part[1:-1], [each for each in done if not each.isdigit()]
                found = self.ids.get("{" + name + "}") or self.ids.get("/" + (before[-1] if before else "")) or \
                    self.ids.get("/" + name.removesuffix("_id") + "s")
                if found is None:
                    return None
                part = str(found)
            done.append(part)
        return "/".join(done)

    def references(self, body):
        """Ids in a body are those of things that are there; lists of ids are empty where none is known."""
        if isinstance(body, list):
            return [self.references(each) for each in body]
        if not isinstance(body, dict):
            return body
        out = {}
        for name, value in body.items():
            if name == "row_version":  # only for who wants to be told of others' changes
                continue
            if re.search(r"(^|_)ids?$", name) and not isinstance(value, (dict, str)):
                stem = re.sub(r"_?ids?$", "", name)
                found = self.ids.get("{" + stem + "_id}") or self.ids.get("/" + stem.replace("_", "-") + "s")
                if found is None:
                    continue
                value = [found] if isinstance(value, list) else found
            out[name] = self.references(value)
        return out

    def send(self, method, path, route, text, more=None, headers=None):
        """Asks until no field is refused: each is made plain first, then left out. (answer, body), None without ids.
        `headers`: of another caller than staff."""
        target, schema = self.filled(path), self.body_schema(route)
        if target is None or schema is None:
            return None, None
        body, plain = {**self.references(sample(schema, text=text)), **(more or {})}, set()
        for _ in range(200):
            # With a key of its own: what keeps its answer by itself says so when it comes to it late.
            caller = {**self.site.staff, "Idempotency-Key": f"of-the-walk-{next(NUMBERS)}"} if headers is None else headers
            answer = self.site.call(method, target, body, caller)
            refused = answer.json.get("data") or {} if answer.status in (400, 404, 409) else {}
            names = list(refused.get("errors") or [refused.get("field") or ""])
            if answer.json.get("code", "").startswith("coupon_"):
                names = ["coupon_code"]
            if not any([self.mended(schema, body, name, plain) for name in names if name.split(".")[0] not in (more or {})]):
                break
        if answer.status in (200, 201) and isinstance(answer.json.get("data"), dict):
            ident = answer.json["data"].get("id")
            if method == "POST" and isinstance(ident, int):
                self.known("/" + target.rsplit("/", 1)[-1], ident)
        return answer, body

    def mended(self, schema, body, name, plain):
        """Makes a refused field plain, or takes it out when it is so already, or what holds it where it is wanted there.
        `contact.email` is one inside another, `travelers.0` the first of several. False: it is not ours."""
        around, rest = [], name.split(".")
        while True:
            key = int(rest[0]) if isinstance(body, list) and rest[0].isdigit() else rest[0]
            there = 0 <= key < len(body) if isinstance(body, list) and isinstance(key, int) else \
                isinstance(body, dict) and key in body
            if not there:  # it is missing: without what misses it, it is not
                if not around:
                    return False
                body, key, _ = around[-1]
                del body[key]
                return True
            its = (schema.get("items") if isinstance(body, list) else schema.get("properties", {}).get(key)) or {}
            around.append((body, key, its))
            if len(rest) == 1 or not isinstance(body[key], (dict, list)):
                break
            body, schema, rest = body[key], its, rest[1:]
        if name in plain or isinstance(body, list):
            del body[key]
        else:
            plain.add(name)
            del body[key]
            body |= self.references({key: sample(its, key)})
        return True
