"""Compares exports of lineage, as the tools that they are for read them, with the answer of the service.

    check.py CASES SCHEMAS

A case whose name begins with "planted-" has a fault in one of its exports, named behind that; it has to be found.
"""

import collections
import json
import pathlib
import sys

import jsonschema
import prov.model
import referencing
import rocrate
from rocrate_validator import models, services
from rocrate_validator.utils import document_loader

GM = "tag:graphmeta.io,2026:"
CONTEXT = json.loads((pathlib.Path(rocrate.__file__).parent / "data/ro-crate.jsonld").read_text())


class Answer:
    """The elements and links of the service. An element is known by id, version and writer."""

    def __init__(self, directory):
        self.rows = [json.loads(line) for line in (directory / "answer.jsonl").read_text().split("\n") if line]
        forward = (directory / "direction").read_text().strip() == "forward"
        self.elements = collections.Counter(self.known(row) for row in self.rows)
        self.links = collections.Counter()
        for row in self.rows:
            for link in row.get("links", []):
                near, far = row, self.rows[link["to"]]
                relation = link["relation"]
                if relation == "contains":
                    first = near if near["label"] == "job" else far
                elif relation == "ran":
                    first = near if near["label"] == "user" else far
                else:
                    first = near if forward else far
                last = far if first is near else near
                self.links[(self.known(first), relation, self.known(last))] = 1

    @staticmethod
    def known(row):
        version = row.get("version")
        if row["label"] == "executable":
            version = row["valid"]
        return row["label"], row["id"], version, row.get("writer")


def compare(what, found, wanted):
    missing = list((wanted - found).elements())
    extra = list((found - wanted).elements())
    assert not missing and not extra, f"{what}: missing {missing[:3]}, more {extra[:3]}"


def visible(text):
    # Graphviz draws several spaces as ones that do not break.
    text = text.replace("\u00a0", " ")
    return "".join(chr(0x2400 + ord(c)) if c < " " else "\u2421" if c == "\x7f" else c for c in text)


def picture(name):
    def check(directory, answer, _):
        found = json.loads((directory / "pictures.json").read_text())[name]
        assert "error" not in found, found["error"]
        wanted = {}
        for row in answer.rows:
            lines = [visible(row["id"])]
            if row["label"] == "file":
                fate = row.get("fate", "current")
                lines.append(row["version"] + ("" if fate == "current" else " " + fate))
            elif row["label"] != "executable":
                text = visible(row["description"])
                lines.append(text if len(text) <= 80 else text[:79] + "…")
            wanted[f"n{row['index']}"] = tuple(lines)
        nodes = {key: tuple(node["lines"]) for key, node in found["nodes"].items() if key in wanted or key[0] == "n"}
        compare("elements", collections.Counter(nodes.items()), collections.Counter(wanted.items()))
        if name == "dot":
            assert len({node["key"] for node in found["nodes"].values()}) == len(wanted)
        links = collections.Counter(
            (answer.known(answer.rows[int(a[1:])]), relation, answer.known(answer.rows[int(b[1:])]))
            for a, b, relation in found["links"]
        )
        compare("links", links, answer.links)

    return check


def only(values):
    values = list(values)
    return values[0] if values else None


def prov_json(directory, answer, _):
    with open(directory / "lineage.prov-json", encoding="utf-8") as file:
        document = prov.model.ProvDocument.deserialize(file, format="json")
    known = {}
    for record in document.get_records(prov.model.ProvElement):
        ids = record.get_attribute(GM_NAME["id"])
        if not ids:
            continue
        kind = only(t.localpart for t in record.get_asserted_types() if t.namespace.uri == GM)
        label = "user" if record.is_element() and isinstance(record, prov.model.ProvAgent) else kind
        version = only(record.get_attribute(GM_NAME["version"]))
        if label == "executable":
            version = record.identifier.localpart.rsplit("@", 1)[1]
        known[record.identifier] = (label, only(ids), version, only(record.get_attribute(GM_NAME["writer"])))
        row = next(row for row in answer.rows if answer.known(row) == known[record.identifier])
        doubts = {str(doubt) for doubt in record.get_attribute(GM_NAME["doubt"])}
        assert doubts == set(row.get("doubts", [])), row["id"]
        if isinstance(record, prov.model.ProvActivity):
            same_time(record.get_startTime(), row["valid"])
            same_time(record.get_endTime(), row.get("end"))
    compare("elements", collections.Counter(known.values()), answer.elements)
    links = collections.Counter()
    for record in document.get_records(prov.model.ProvRelation):
        names = [value for _, value in record.formal_attributes]
        types = {str(kind) for kind in record.get_asserted_types()}
        if isinstance(record, prov.model.ProvUsage):
            role = {str(role) for role in record.get_attribute("prov:role")}
            link = (names[1], "exe" if role == {"gm:executable"} else "read", names[0])
        elif isinstance(record, prov.model.ProvGeneration):
            link = (names[1], "wrote", names[0])
        elif isinstance(record, prov.model.ProvStart):
            link = (names[2], "contains", names[0])
        elif isinstance(record, prov.model.ProvAssociation):
            link = (names[1], "ran", names[0])
        elif isinstance(record, prov.model.ProvInfluence):
            link = (names[1], "redirected", names[0])
        elif isinstance(record, prov.model.ProvDerivation):
            relation = "continues" if types == {"prov:Revision"} else only(types).removeprefix("gm:")
            link = (names[1], relation, names[0])
        else:
            assert isinstance(record, prov.model.ProvSpecialization), record
            continue
        links[(known[link[0]], link[1], known[link[2]])] += 1
    compare("links", links, answer.links)
    # What the library writes again is the same document.
    assert prov.model.ProvDocument.deserialize(content=document.serialize(), format="json") == document


GM_NAME = {name: prov.model.Namespace("gm", GM)[name] for name in ("id", "version", "writer", "doubt")}


def same_time(time, text):
    found = None if time is None else time.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert found == text, f"{found}, expected {text}"


def local_context(url):
    assert url == "https://w3id.org/ro/crate/1.1/context", url
    return CONTEXT


def ro_crate(directory, answer, _):
    text = (directory / "lineage.ro-crate").read_text(encoding="utf-8")
    crate = directory / "crate"
    crate.mkdir(exist_ok=True)
    (crate / "ro-crate-metadata.json").write_text(text, encoding="utf-8")
    document_loader._fetch_json_ld = local_context
    for profile in ("ro-crate-1.1", "process-run-crate"):
        result = services.validate(
            services.ValidationSettings(
                rocrate_uri=str(crate),
                profile_identifier=profile,
                metadata_only=True,
                skip_availability_check=True,
                requirement_severity=models.Severity.REQUIRED,
            )
        )
        assert result.passed(), [issue.message for issue in result.get_issues()][:3]
    graph = {entity["@id"]: entity for entity in json.loads(text)["@graph"]}
    labels = {"CreateAction": "process", "Action": "job", "Person": "user", "SoftwareApplication": "executable"}
    writers = {}
    for entity in graph.values():
        for result in entity.get("result", []):
            if result not in entity.get("redirected", []):
                writers[result["@id"]] = entity["identifier"]
    known = {}
    for entity in graph.values():
        if "identifier" in entity:
            kind = entity["@type"]
            label = "file" if kind == "File" or "File" in kind else labels[kind]
            version = entity.get("version", entity.get("softwareVersion"))
            # The writer stands with the action. A rank, or one that is not in the answer, is known by the answer alone.
            rows = [
                row
                for row in answer.rows
                if answer.known(row)[:3] == (label, entity["identifier"], version)
                and answer.known(row) not in known.values()
            ]
            assert rows, entity["@id"]
            known[entity["@id"]] = answer.known(rows[0])
            assert entity.get("doubt", []) == rows[0].get("doubts", []), entity["@id"]
    compare("elements", collections.Counter(known.values()), answer.elements)
    links = collections.Counter()
    for entity in graph.values():
        here = known.get(entity["@id"])
        for relation, key, outward in (
            ("exe", "instrument", False),
            ("read", "object", False),
            ("wrote", "result", True),
            ("redirected", "redirected", True),
            ("renamedFrom", "renamedFrom", False),
            ("continues", "continues", False),
            ("storedIn", "storedIn", False),
            ("contains", "contains", True),
        ):
            for reference in entity.get(key, []):
                there = known.get(reference["@id"])
                printed = relation == "wrote" and reference in entity.get("redirected", [])
                if here and there and not printed:
                    links[(here, relation, there) if outward else (there, relation, here)] += 1
        if here and here[0] == "job":
            for agent in entity.get("agent", []):
                links[(known[agent["@id"]], "ran", here)] += 1
    compare("links", links, answer.links)


def openlineage(directory, answer, validator):
    events = [json.loads(line) for line in (directory / "lineage.openlineage").read_text().split("\n") if line]
    known = {}
    links = set()
    runs = {}

    def dataset(data):
        facets = data["facets"]
        own = facets["graphmeta_version"]
        assert data["namespace"] == "file"
        element = ("file", data["name"], facets["version"]["datasetVersion"], own.get("writer"))
        known[element] = own
        for origin in own.get("origins", []):
            source = ("file", origin["name"], origin["version"], origin.get("writer"))
            links.add((source, origin["relation"], element))
        if "lifecycleStateChange" in facets:
            before = facets["lifecycleStateChange"]["previousIdentifier"]["name"]
            assert before in [each["name"] for each in own["origins"] if each["relation"] == "renamedFrom"]
        return element

    for event in events:
        validator(event)
        if "dataset" in event:
            dataset(event["dataset"])
            continue
        own = event["run"]["facets"]["graphmeta_run"]
        element = (own["kind"], own["id"], None, None)
        known[element] = own
        runs.setdefault(event["run"]["runId"], (element, []))[1].append(event)
        for executable in own.get("executables", []):
            program = ("executable", executable["id"], executable["version"], None)
            known[program] = {}
            links.add((program, "exe", element))
            for origin in executable.get("storedIn", []):
                source = ("file", origin["name"], origin["version"], origin.get("writer"))
                links.add((source, "storedIn", program))
        parent = event["run"]["facets"].get("parent")
        if parent:
            links.add((("job", parent["job"]["name"], None, None), "contains", element))
        for owner in event["job"]["facets"].get("ownership", {}).get("owners", []):
            user = ("user", owner["name"], None, None)
            known[user] = {}
            links.add((user, "ran", element))
        for data in event.get("inputs", []):
            relation = data["inputFacets"]["graphmeta_use"]["relation"]
            source = dataset(data)
            if relation in ("read", "exe"):
                links.add((source, relation, element))
        for data in event.get("outputs", []):
            links.add((element, data["outputFacets"]["graphmeta_use"]["relation"], dataset(data)))
    compare("elements", collections.Counter(list(known)), answer.elements)
    compare("links", collections.Counter(links), answer.links)
    for element, own in known.items():
        row = next(row for row in answer.rows if answer.known(row) == element)
        if own:
            assert own.get("doubts", []) == row.get("doubts", []), row["id"]
    for element, told in runs.values():
        row = next(row for row in answer.rows if answer.known(row) == element)
        times = {event["eventType"]: event["eventTime"] for event in told}
        assert times == {k: v for k, v in (("START", row["valid"]), ("COMPLETE", row.get("end"))) if v}, row["id"]


def event_validator(schemas):
    registry = referencing.Registry()
    facets = {}
    for path in sorted(schemas.glob("*.json")):
        schema = json.loads(path.read_text())
        registry = registry.with_resource(schema["$id"], referencing.Resource.from_contents(schema))
        facets[schema["$id"]] = schema
        if path.stem == "OpenLineage":
            main = schema

    def validator(schema):
        return jsonschema.Draft202012Validator(
            schema, registry=registry, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
        )

    def check(event):
        validator(main).validate(event)
        places = [event.get("run", {}), event.get("job", {}), event.get("dataset", {})]
        for place in places + event.get("inputs", []) + event.get("outputs", []):
            for name, facet in place.get("facets", {}).items():
                if not name.startswith("graphmeta_"):
                    validator(facets[facet["_schemaURL"]]).validate({name: facet})

    return check


CHECKS = {
    "dot": picture("dot"),
    "mermaid": picture("mermaid"),
    "prov-json": prov_json,
    "ro-crate": ro_crate,
    "openlineage": openlineage,
}


def main():
    cases, schemas = map(pathlib.Path, sys.argv[1:])
    validator = event_validator(schemas)
    failed = agreed = found = 0
    for directory in sorted(cases.iterdir()):
        answer = Answer(directory)
        planted = directory.name.startswith("planted-")
        forms = [f for f in CHECKS if not planted or directory.name.removeprefix("planted-").startswith(f)]
        for form in forms:
            try:
                CHECKS[form](directory, answer, validator)
                if planted:
                    failed += 1
                    print(f"{directory.name}: the fault in {form} was not found")
                agreed += 1
            except Exception as error:
                if planted:
                    found += 1
                    continue
                failed += 1
                print(f"{directory.name}: {form}: {type(error).__name__}: {str(error)[:600]}")
    print(f"{agreed} exports agree, {found} planted faults found, {failed} failed")
    sys.exit(1 if failed else 0)


main()
