from __future__ import annotations

import csv
import json
import os
from io import StringIO
from xml.etree import ElementTree

import pyshacl
import pytest
import rdflib
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from festinger.api.v1 import line_service_pb2 as pb
from festinger.cli.memories.formats.festinger_lines import line_of
from festinger.cli.memories.formats.records import FileStatement
from festinger.cli.memories.formats.registry import format_of
from festinger.cli.memories.formats.source import ImportSource
from festinger.cli.memories.writers import graphml, nquads, table, vault
from festinger.cli.recollection.facts import dump

# rdflib warns of what it does itself.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:pyshacl"),
]

Status, Kind = pb.MemoryLine.Status, pb.MemoryLine.Kind
PROV = rdflib.Namespace("http://www.w3.org/ns/prov#")
SHAPES = """
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
[] a sh:NodeShape ; sh:targetClass prov:Entity ;
   sh:property [ sh:path prov:wasAttributedTo ; sh:class prov:Agent ; sh:maxCount 1 ] ;
   sh:property [ sh:path prov:generatedAtTime ; sh:datatype xsd:dateTime ;
                 sh:maxCount 1 ] ;
   sh:property [ sh:path prov:wasDerivedFrom ; sh:class prov:Entity ] ;
   sh:property [ sh:path prov:value ; sh:maxCount 1 ] .
[] a sh:NodeShape ; sh:targetClass prov:Agent ;
   sh:property [ sh:path rdfs:label ; sh:minCount 1 ; sh:maxCount 1 ] .
"""


def fact(concept, dimension, parent, **fields):
    """Return a statement of an export."""
    negated = fields.pop("negated", False)
    line = pb.MemoryLine(
        name=f"statement-{concept}/{dimension}/{parent}",
        kind=Kind.KIND_STATEMENT,
        status=fields.pop("status", Status.STATUS_ACTIVE),
        subject=concept,
        predicate=dimension,
        value=parent,
        **fields,
    )
    triple = line.held.triple
    triple.concept, triple.dimension, triple.parent = concept, dimension, parent
    triple.negated = negated
    line.say_time.FromSeconds(1_750_000_000)
    return line


def sentence(text, **fields):
    """Return a sentence of an export."""
    line = pb.MemoryLine(
        name="said-7.0",
        kind=Kind.KIND_UTTERANCE,
        status=Status.STATUS_ACTIVE,
        quote=text,
        kept=pb.KeptSentence(digest=b"0" * 16),
        **fields,
    )
    line.say_time.FromSeconds(1_750_000_000)
    return line


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAMES = WORDS.filter(str.strip)
LINES = st.one_of(
    st.builds(
        fact,
        NAMES,
        NAMES,
        NAMES,
        quote=WORDS,
        speaker=WORDS,
        project=WORDS,
        session=WORDS,
        negated=st.booleans(),
        status=st.sampled_from([1, 3]),
    ),
    st.builds(sentence, NAMES, speaker=WORDS, project=WORDS, session=WORDS),
)


@given(LINES)
def test_line_comes_back_from_its_json(line):
    """Whatever is in it."""
    line.text = line.text or "x"

    assert line_of(json.loads(dump(line))) == line


@given(st.lists(LINES, max_size=5))
@settings(max_examples=20, deadline=None, phases=[Phase.generate])
def test_quads_are_read_and_have_the_shape_of_prov(lines):
    """By rdflib and pyshacl, whatever is in names and quotes."""
    for number, line in enumerate(lines):
        line.name = f"{line.name} {number}"
    data = rdflib.Dataset(default_union=True)
    data.parse(data="".join(nquads.write(iter(lines))), format="nquads")
    shapes = rdflib.Graph().parse(data=SHAPES, format="turtle")

    conforms, _, why = pyshacl.validate(data, shacl_graph=shapes)

    assert conforms, why
    quotes = {str(it) for it in data.objects(None, PROV.value)}
    assert {line.quote for line in lines if line.quote} <= quotes


def test_quads_say_where_a_fact_comes_from():
    """It stands in a graph of its own, which is attributed."""
    line = fact("billing", "runs-on", "podman", speaker="nan", quote="it is on podman")
    data = rdflib.Dataset()
    data.parse(data="".join(nquads.write(iter([line]))), format="nquads")

    ((_, _, value, graph),) = (it for it in data.quads() if "line" in str(it[3]))
    assert str(value) == "urn:festinger:concept:podman"
    (agent,) = data.objects(graph, PROV.wasAttributedTo)
    assert str(agent) == "urn:festinger:agent:nan"


def test_denial_is_not_asserted():
    """No graph has the statement that is denied."""
    line = fact("billing", "runs-on", "podman", negated=True)

    quads = "".join(nquads.write(iter([line])))

    assert (
        "<urn:festinger:dimension:runs-on> <urn:festinger:concept:podman>" not in quads
    )


@given(st.lists(LINES, max_size=5))
def test_graphml_is_well_formed(lines):
    """Each edge has two nodes that stand before it."""
    root = ElementTree.fromstring("".join(graphml.write(iter(lines))))

    seen = set()
    for each in root.iter():
        if each.tag.endswith("}node"):
            seen.add(each.get("id"))
        elif each.tag.endswith("}edge"):
            assert {each.get("source"), each.get("target")} <= seen


def test_table_is_imported_again(tmp_path):
    """With the same statements."""
    lines = [
        fact("billing", "port", "8080", quote='say "so",\nnan', speaker="nan"),
        fact("billing", "uses", "vim", negated=True),
        fact("old", "is", "gone", status=Status.STATUS_CLOSED),
    ]
    path = tmp_path / "facts.csv"
    path.write_text("".join(table.write(iter(lines))), "utf-8")

    found = [it.record for it in format_of(path).read(ImportSource(path))]

    assert len(list(csv.reader(StringIO(path.read_text("utf-8"))))) == 3
    said = 1_750_000_000.0
    assert found == [
        FileStatement(
            "billing", "port", "8080", 'say "so",\nnan', speaker="nan", said=said
        ),
        FileStatement("billing", "uses", "vim", negated=True, said=said),
    ]


def test_vault_has_a_page_a_concept(tmp_path):
    """With links to the others, and the words it comes from."""
    lines = [
        fact("billing", "runs-on", "podman", quote="it is on podman", speaker="nan"),
        fact("billing", "path", "/var/lib"),
        sentence("Kassel delivers at 05:40.", speaker="nan"),
    ]

    assert vault.write(iter(lines), tmp_path) == 2

    page = (tmp_path / "billing.md").read_text("utf-8")
    assert page.startswith("# billing\n\n- runs-on:: [[podman]]\n")
    assert "  > it is on podman — nan, 2025-06-15\n" in page
    assert "|/var/lib]]" in page
    said = (tmp_path / "said" / "nan.md").read_text("utf-8")
    assert "- Kassel delivers at 05:40. — nan, 2025-06-15\n" in said


@given(name=st.text(max_size=200))
def test_page_of_any_name_stays_in_its_folder(name):
    """No name leads elsewhere, or is one that a file system refuses."""
    page = vault.page_name(name)

    assert os.path.basename(page) == page not in ("", ".", "..")
    assert len(page.encode()) < 200
    assert "\0" not in page


@pytest.mark.parametrize("form", ["nquads", "graphml", "csv", "markdown"])
async def test_memory_is_exported_in_each_format(operator, tmp_path, form):
    """Into a file, or a folder."""
    await operator.client.states("gnommoweb -isa repo")
    place = tmp_path / "out" / "memory" if form == "markdown" else tmp_path / "memory"

    await operator.prints("export", "--format", form, "--output", str(place))

    written = place / "gnommoweb.md" if form == "markdown" else place
    assert "gnommoweb" in written.read_text("utf-8")
