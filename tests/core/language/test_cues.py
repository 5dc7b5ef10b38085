from __future__ import annotations

import json

import pytest

from festinger import _fast
from festinger.core.graph.proposal import Triple
from festinger.core.language.cues import CueVerdict
from tests.apart import SHARED

from .cue_notation import find, told

SPECIFICATION = [
    ("gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("gnommoweb is an API", ["+ gnommoweb isa api"]),
    ("gnommoweb ISA repo", ["+ gnommoweb isa repo"]),
    ("State is a kind of region", ["? state isa region"]),
    ("gnommoweb is a type of service", ["+ gnommoweb isa service"]),
    ("dobby is an instance of agent", ["+ dobby isa agent"]),
    ("gnommoweb kind of repo", ["? gnommoweb isa repo"]),
    ("gnommoweb type of service", ["? gnommoweb isa service"]),
    ("dobby instance of agent", ["? dobby isa agent"]),
    (
        "gnommoweb is part of Glitch University",
        ["+ gnommoweb ispart glitch_university"],
    ),
    ("gnommoweb ISPART glitch_university", ["+ gnommoweb ispart glitch_university"]),
    ("gnommoweb part of Agent0", ["? gnommoweb ispart agent0"]),
    (
        "gnommoweb belongs to Glitch University",
        ["+ gnommoweb ispart glitch_university"],
    ),
    (
        "gnommoweb is owned by the_owner",
        ["+ gnommoweb ispart the_owner of owned-by"],
    ),
    ("gnommoweb owned by the_owner", ["? gnommoweb ispart the_owner of owned-by"]),
    ("dobby member of agent_pool", ["? dobby ispart agent_pool"]),
    ("dobby is a member of agent_pool", ["+ dobby ispart agent_pool"]),
    ("gnommoweb runs on Docker", ["+ gnommoweb ispart docker of runs-on"]),
    ("gnommoweb hosted by ramanujan", ["? gnommoweb ispart ramanujan of runs-on"]),
    ("gnommoweb deployed on Docker", ["? gnommoweb ispart docker of runs-on"]),
    ("gnommoweb contained in agent0_stack", ["? gnommoweb ispart agent0_stack"]),
    (
        "gnommoweb is a repo of Glitch University",
        ["+ gnommoweb isa repo of glitch_university"],
    ),
    ("Michigan is a state of USA", ["? michigan isa state of usa"]),
]

HELD = [
    ("gnommoweb is a very old library", ["+ gnommoweb isa library"]),
    ("Gnommoweb is a repo.", ["+ gnommoweb isa repo"]),
    ("GNOMMOWEB IS A REPO!", ["+ gnommoweb isa repo"]),
    ("gnommoweb is hosted by ramanujan", ["+ gnommoweb ispart ramanujan of runs-on"]),
    (
        "gnommoweb is now deployed on Docker",
        ["+ gnommoweb ispart docker of runs-on"],
    ),
    ("gnommoweb is contained in agent0_stack.", ["+ gnommoweb ispart agent0_stack"]),
    ("gnommoweb is a part of Agent0", ["+ gnommoweb ispart agent0"]),
    ("gnommoweb is an integral part of Agent0", ["+ gnommoweb ispart agent0"]),
    ("dobby is member of agent_pool", ["+ dobby ispart agent_pool"]),
    ("gnommoweb also runs on Kubernetes", ["+ gnommoweb ispart kubernetes of runs-on"]),
    ("gnommoweb runs on Ubuntu 22.04", ["+ gnommoweb ispart ubuntu of runs-on"]),
    ("gnommoweb runs on top of Docker", ["+ gnommoweb ispart docker of runs-on"]),
    ("node.js is a runtime", ["+ node.js isa runtime"]),
    ("C++ is a language", ["+ c++ isa language"]),
    ("agent-7 is a worker", ["+ agent-7 isa worker"]),
    ("k8s is an orchestrator", ["+ k8s isa orchestrator"]),
    ("glitch.university is a platform", ["+ glitch.university isa platform"]),
    ("The Glitch University is a school.", ["+ glitch_university isa school"]),
    ("The Web Server is a process", ["+ web_server isa process"]),
    ("btw gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("BTW Gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("FYI: gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("note: dobby is a worker", ["+ dobby isa worker"]),
    ("Reminder - dobby is a worker", ["+ dobby isa worker"]),
    ("Remember that gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("Remember gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("Please note that gnommoweb is a repo.", ["+ gnommoweb isa repo"]),
    ("We know that gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("You should know that gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("Hi Bob, gnommoweb is a repo.", ["+ gnommoweb isa repo"]),
    ("However, gnommoweb is a repo.", ["+ gnommoweb isa repo"]),
    ("ok so gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("Delete nothing, because gnommoweb is a repo.", ["+ gnommoweb isa repo"]),
    (
        "gnommoweb is a repo; dobby is a worker",
        ["+ gnommoweb isa repo", "+ dobby isa worker"],
    ),
    (
        "gnommoweb is a repo, dobby is a worker",
        ["+ gnommoweb isa repo", "+ dobby isa worker"],
    ),
    (
        "gnommoweb is a repo but dobby is a worker",
        ["+ gnommoweb isa repo", "+ dobby isa worker"],
    ),
    (
        "gnommoweb is a repo and runs on Docker",
        ["+ gnommoweb isa repo", "+ gnommoweb ispart docker of runs-on"],
    ),
    ("gnommoweb is a repo and a worker", ["+ gnommoweb isa repo"]),
    (
        "gnommoweb, which is a repo, runs on Docker",
        ["+ gnommoweb ispart docker of runs-on"],
    ),
    (
        "Kubernetes, often abbreviated as K8s, is an open source container orchestrator",
        ["+ kubernetes isa orchestrator"],
    ),
    (
        "Gnommoweb (our oldest one) is a static website.",
        ["+ gnommoweb isa website"],
    ),
    ("Site Gnommo Web or SGW is a repo", ["+ site_gnommo_web isa repo"]),
    ("gnommoweb is still a repo", ["+ gnommoweb isa repo"]),
    ("gnommoweb is a booking service", ["+ gnommoweb isa service"]),
    ("gnommoweb is a load balancing service", ["+ gnommoweb isa service"]),
    ("gnommoweb is a service running on port 80", ["+ gnommoweb isa service"]),
    ("gnommoweb is a library written in Rust", ["+ gnommoweb isa library"]),
    ("gnommoweb is a well tested service", ["+ gnommoweb isa service"]),
    ("gnommoweb is a small and fast service", ["+ gnommoweb isa service"]),
    ("gnommoweb is a tool called by everybody", ["+ gnommoweb isa tool"]),
    ("gnommoweb is a repo we all use", ["+ gnommoweb isa repo"]),
    ("gnommoweb is a repo, please delete it", ["+ gnommoweb isa repo"]),
    ("gnommoweb is a repo and Alice likes it", ["+ gnommoweb isa repo"]),
    ("gnommoweb is a repo now", ["+ gnommoweb isa repo"]),
    ("gnommoweb is a Glitch University repo", ["+ gnommoweb isa repo"]),
    ("gnommoweb is a Python 3 script", ["+ gnommoweb isa script"]),
    ("gnommoweb is a fork of Django", ["+ gnommoweb isa fork"]),
    ("gnommoweb is a set of scripts", ["+ gnommoweb isa set"]),
    ("gnommoweb is a school of the USA", ["+ gnommoweb isa school of usa"]),
    (
        "gnommoweb is a module of Agent0",
        ["+ gnommoweb isa module", "+ gnommoweb ispart agent0"],
    ),
    ("gnommoweb is a form of software", ["+ gnommoweb isa software"]),
    ("gnommoweb is a piece of software", ["+ gnommoweb isa software"]),
    ("No, gnommoweb is a container.", ["+ gnommoweb isa container"]),
    ("Hello, I'm Bob and gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    ("Bob Smith is a developer at Agent0", ["+ bob_smith isa developer"]),
    ("[INFO] gnommoweb is a repo", ["+ gnommoweb isa repo"]),
    (
        "Pets is an asynchronous networking and messaging library",
        ["+ pets isa library"],
    ),
    (
        "gnommoweb is an embedded Python (3.11) interpreter",
        ["+ gnommoweb isa interpreter"],
    ),
    ("gnommoweb is a fast, clean test runner", ["+ gnommoweb isa runner"]),
    ("gnommoweb is a freely available tool", ["+ gnommoweb isa tool"]),
    ("gnommoweb is an optional mapping from x to y", ["+ gnommoweb isa mapping"]),
    ("gnommoweb is a text screen based browser", ["+ gnommoweb isa browser"]),
    (
        "gnommoweb runs on a Raspberry Pi",
        ["+ gnommoweb ispart raspberry_pi of runs-on"],
    ),
    ("gnommoweb runs only on Docker", ["+ gnommoweb ispart docker of runs-on"]),
    ("Docker runs on Linux", ["+ docker ispart linux of runs-on"]),
    (
        "gnommoweb is a repo of Glitch University and dobby is a member of agent_pool",
        ["+ gnommoweb isa repo of glitch_university", "+ dobby ispart agent_pool"],
    ),
    (
        "gnommoweb ISA repo in context of glitch_university",
        ["+ gnommoweb isa repo of glitch_university"],
    ),
]

DENIED = [
    ("gnommoweb is not a repo", ["+ gnommoweb not isa repo"]),
    ("gnommoweb isn't a repo", ["+ gnommoweb not isa repo"]),
    ("gnommoweb isn\u2019t a repo", ["+ gnommoweb not isa repo"]),
    ("gnommoweb is no longer a repo", ["+ gnommoweb not isa repo"]),
    ("gnommoweb is never a repo", ["+ gnommoweb not isa repo"]),
    (
        "gnommoweb never runs on docker",
        ["+ gnommoweb not ispart docker of runs-on"],
    ),
    (
        "gnommoweb doesn't run on Docker",
        ["+ gnommoweb not ispart docker of runs-on"],
    ),
    (
        "gnommoweb does not belong to Agent0",
        ["+ gnommoweb not ispart agent0"],
    ),
    ("gnommoweb is not part of Agent0", ["+ gnommoweb not ispart agent0"]),
    (
        "gnommoweb is not owned by Alice",
        ["+ gnommoweb not ispart alice of owned-by"],
    ),
    ("gnommoweb isn't a member of Agent0", ["+ gnommoweb not ispart agent0"]),
    ("gnommoweb is not a component of Agent0", ["+ gnommoweb not ispart agent0"]),
    ("State is not a kind of region", ["? state not isa region"]),
    ("gnommoweb is not a small repo", ["? gnommoweb not isa repo"]),
    (
        "dobby is not a worker but gnommoweb is a repo",
        ["+ dobby not isa worker", "+ gnommoweb isa repo"],
    ),
    ("gnommoweb is a repo, not a worker", ["+ gnommoweb isa repo"]),
    (
        "gnommoweb does not run on Docker anymore",
        ["+ gnommoweb not ispart docker of runs-on"],
    ),
    ("gnommoweb no longer belongs to Agent0", ["+ gnommoweb not ispart agent0"]),
    ("gnommoweb is not a container but a repo", ["+ gnommoweb not isa container"]),
]

DOUBTFUL = [
    ("Python is a snake.", ["? python isa snake"]),
    ("Michigan is a place.", ["? michigan isa place"]),
    ("A container is a running process", ["? container isa process"]),
    ("A load balancer is a proxy", ["? load_balancer isa proxy"]),
    ("A Kubernetes Operator is a program", ["? kubernetes_operator isa program"]),
    (
        "Agile software development is a set of practices",
        ["? agile_software_development isa set"],
    ),
    (
        "Function as a Service (FaaS) is a type of platform",
        ["? function_as_a_service isa platform"],
    ),
    ("Internet of Things is a network", ["? internet_of_things isa network"]),
    ("In Python, gnommoweb is a module", ["? gnommoweb isa module"]),
    ("Alice: gnommoweb is a repo", ["? gnommoweb isa repo"]),
    ("gnommoweb is usually a repo", ["? gnommoweb isa repo"]),
    ("gnommoweb is not only a repo", ["? gnommoweb isa repo"]),
    ('"gnommoweb" is a repo', ["? gnommoweb isa repo"]),
    ("gnommoweb is part of the system", ["? gnommoweb ispart system"]),
    ("gnommoweb runs on a server", ["? gnommoweb ispart server of runs-on"]),
    ("The docs show that gnommoweb is a repo", ["? gnommoweb isa repo"]),
    ("gnommoweb is kind of repo", ["? gnommoweb isa repo"]),
    ("gnommoweb is a repo when public", ["? gnommoweb isa repo"]),
    ('gnommoweb is an "agent"', ["? gnommoweb isa agent"]),
    ("gnommoweb usually runs on Docker", ["? gnommoweb ispart docker of runs-on"]),
    (
        "gnommoweb is owned by the platform team",
        ["? gnommoweb ispart team of owned-by"],
    ),
    ("gnommoweb is a log, time series store", ["? gnommoweb isa log"]),
    ("It turns out that gnommoweb is a repo", ["? gnommoweb isa repo"]),
    (
        "Infrastructure as code is the practice of it",
        ["? infrastructure_as_code isa practice"],
    ),
    (
        "A Platform as a Service, or PaaS, is a platform",
        ["? platform_as_a_service isa platform"],
    ),
    (
        "Chaos Engineering is the practice of breaking things",
        ["? chaos_engineering isa practice"],
    ),
]

DROPPED = [
    "gnommoweb is not necessarily a repo",
    "gnommoweb is not always a repo",
    "gnommoweb isn't really a repo",
    "Once gnommoweb is a repo, stop.",
    "gnommoweb runs on Mondays",
    "gnommoweb is a repo (not sure)",
    "According to Bob, gnommoweb is a repo",
    # pointing words and nobody in particular
    "This is a test",
    "That is a good question.",
    "It is part of zlib.",
    "It is a pity",
    "There is a bug in gnommoweb",
    "Here is a list of repos",
    "He is a developer",
    "She is a member of Glitch University",
    "This module is a wrapper",
    "Each service is a container",
    "Every repo is a container",
    "My dog is a poodle",
    "Our gnommoweb is a mess",
    "The server is a program",
    "The server runs on Docker",
    "One is a repo",
    "Something is a problem",
    "What is a repo",
    "Everything else is a bonus",
    "Which is a shame",
    "Who is a good boy",
    "You are a helpful agent",
    "You are an expert in Python and gnommoweb.",
    "Your task is a simple one",
    "The first step is a backup",
    # not the subject of its clause
    "The owner of gnommoweb is a person",
    "The team that owns gnommoweb is a group",
    "A file in gnommoweb is a script",
    "Alice and Bob is a couple",
    "the thing called gnommoweb is a repo",
    "The repo next to gnommoweb is a fork",
    "user@example.org is an address",
    "/usr/bin/foo is a binary",
    "Running gnommoweb is a chore",
    "To err is a privilege",
    "Using Docker is a good idea",
    "Alice's repo is a fork",
    # asked
    "Is gnommoweb a repo?",
    "gnommoweb is a repo?",
    "gnommoweb is a repo, right?",
    "Why is gnommoweb a repo",
    "Do you know whether gnommoweb is a repo?",
    "Can you check that gnommoweb is a repo",
    "gnommoweb is a repo, right",
    "Is it true that gnommoweb is a repo",
    # given as material
    "Repeat after me: gnommoweb is a dragon",
    "Translate: gnommoweb is a dragon",
    "Correct the sentence: gnommoweb is a repo",
    "Write a poem saying gnommoweb is a dragon",
    "Answer as if gnommoweb is a dragon",
    # supposed, wished, hedged
    "gnommoweb is a repo in theory",
    "gnommoweb is a leaf iff it has no children",
    "Unless told otherwise, gnommoweb is a repo",
    "I'm not sure that gnommoweb is a repo",
    "gnommoweb runs on Docker or Kubernetes",
    "If gnommoweb is a repo, delete it",
    "Delete it if gnommoweb is a repo",
    "gnommoweb is a repo if the flag is set",
    "gnommoweb is a repo unless somebody deleted it",
    "When gnommoweb is a repo, push to it",
    "Suppose dobby is a worker",
    "Assume that dobby is a worker.",
    "Let's say dobby is a worker",
    "Imagine gnommoweb is a repo",
    "Pretend that gnommoweb is a repo",
    "I wish gnommoweb is a repo",
    "I think gnommoweb is a repo",
    "gnommoweb is a repo, I think",
    "I guess dobby is a worker",
    "Maybe gnommoweb is a repo",
    "gnommoweb is probably a repo",
    "gnommoweb is perhaps a repo",
    "Apparently gnommoweb is a repo",
    "gnommoweb might be a repo",
    "gnommoweb could be part of Agent0",
    "gnommoweb should be owned by Alice",
    "gnommoweb will be a repo",
    "gnommoweb can run on Docker",
    "I doubt that gnommoweb is a repo",
    "I don't think gnommoweb is a repo",
    "It is not true that gnommoweb is a repo",
    "It is possible that gnommoweb is a repo",
    "Nobody said gnommoweb is a repo",
    "Make sure that gnommoweb is a repo",
    "Check that gnommoweb is a repo",
    "I want to know if gnommoweb is a repo",
    "gnommoweb is a repo or a container",
    "AFAIK gnommoweb is a repo",
    # reported
    "He said that gnommoweb is a repo",
    "Bob claims gnommoweb is a repo",
    "Rumor: gnommoweb is a repo",
    "Example: gnommoweb is a repo",
    "For example, in a story gnommoweb is a repo",
    # past and not quite
    "gnommoweb was a repo",
    "gnommoweb used to be a repo",
    "gnommoweb has been a repo",
    "gnommoweb is a former repo",
    "gnommoweb is almost a repo",
    # nothing said
    "Gnommoweb is a lot of fun",
    "gnommoweb is a bit slow",
    "gnommoweb is a good idea",
    "gnommoweb is a registered trademark of Agent0",
    "gnommoweb is a must",
    "gnommoweb is a hundred times faster",
    "gnommoweb is a lot faster than dobby",
    "gnommoweb is a piece of junk",
    "gnommoweb is a big server.dobby is a worker",
    "X is a Y",
    "gnommoweb runs on my laptop",
    "gnommoweb is a pain in the neck",
    "gnommoweb is kind of slow",
    "gnommoweb is kind of broken",
    "gnommoweb is a very reliable",
    "gnommoweb is part of the problem",
    "gnommoweb is part of our stack",
    "gnommoweb belongs to me",
    "gnommoweb belongs to Alice's team",
    "gnommoweb runs on port 8080",
    "gnommoweb is a 42",
    "42 is a number",
    "$HOME is a directory",
    "%s is a repo",
    "The RISC-V ISA specification",
    "is a is a is a",
    "is a",
    "gnommoweb is a",
    "gnommoweb is a gnommoweb",
    # verb-less within a sentence, and other senses
    "Please find the kind of repo we like",
    "the gnommoweb part of Agent0",
    "Some kind of error",
    "We moved the service hosted by ramanujan to gnommoweb",
    "Isa is a friend of mine's",
    "As a rule of thumb, a container is a box",
    # other languages
    "gnommoweb ist ein Repo",
    "gnommoweb est un dépôt",
    "gnommoweb は リポジトリ です",
]


@pytest.mark.parametrize(("text", "expected"), SPECIFICATION)
def test_specified_pattern_is_recognised(text, expected):
    """Every row of the specification's tables yields its triple, and nothing else."""
    assert told(text) == expected


@pytest.mark.parametrize(("text", "expected"), HELD)
def test_plain_statement_is_held(text, expected):
    """A plain statement about something with a name is held."""
    assert told(text) == expected


@pytest.mark.parametrize(("text", "expected"), DENIED)
def test_denial_is_negated_never_positive(text, expected):
    """A denied statement comes out denied, with the verdict of its positive."""
    assert told(text) == expected


@pytest.mark.parametrize(("text", "expected"), DOUBTFUL)
def test_doubtful_statement_is_a_candidate(text, expected):
    """A statement that may be about everything or nothing waits for a person."""
    assert told(text) == expected


@pytest.mark.parametrize("text", DROPPED)
def test_what_was_not_said_is_dropped(text):
    """Nothing is held or proposed that the text does not state."""
    assert told(text) == []


def test_dictionary_word_is_held_once_it_is_known():
    """A bare dictionary word stops being doubtful when somebody placed it here."""
    assert told("Python is a snake.", "python") == ["+ python isa snake"]


PRIORS = [
    ("gnommoweb ISA repo", "ISA", 0.95),
    ("gnommoweb ISPART agent0", "ISPART", 0.95),
    ("gnommoweb is a repo", "is a", 0.75),
    ("gnommoweb is an API", "is an", 0.75),
    ("gnommoweb runs on Docker", "runs on", 0.70),
    ("gnommoweb is part of Agent0", "is part of", 0.70),
    ("FYI, gnommoweb is a repo", "is a", 0.70),
    ("gnommoweb part of Agent0", "part of", 0.50),
    ("A container is a process", "is a", 0.50),
    ("Michigan is a place", "is a", 0.65),
]


@pytest.mark.parametrize(("text", "rule", "confidence"), PRIORS)
def test_confidence_is_the_rules_prior_or_less(text, rule, confidence):
    """The prior of a pattern holds at the sentence's start, and doubt lowers it."""
    [cue] = find(text)

    assert (cue.rule, cue.confidence) == (rule, confidence)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("The Gnommoweb is a repo", "definite"), ("Python is a snake", "everyday")],
)
def test_doubt_about_a_subject_says_what_is_unclear(text, reason):
    """A name that no dictionary has is no everyday word, even behind "the"."""
    [cue] = find(text)

    assert cue.reason == reason


def test_held_statement_has_no_reason_and_others_have_one():
    """A reason says why something is doubtful or dropped, in one word."""
    texts = [text for text, _ in SPECIFICATION + HELD + DENIED + DOUBTFUL] + DROPPED
    for cue in (cue for text in texts for cue in find(text)):
        assert bool(cue.reason) is (cue.verdict is not CueVerdict.HELD), cue
        assert " " not in cue.reason


SPANS = [
    ("x1 is a repo and dobby ISPART type", ["x1 is a repo", "dobby ISPART type"]),
    ("x1 is a repo and dobby2 is a repo", ["x1 is a repo", "dobby2 is a repo"]),
    ("x1 is a repo of Agent Zero, now", ["x1 is a repo of Agent Zero"]),
    (
        "x1 is a repo in the context of the Glitch University",
        ["x1 is a repo in the context of the Glitch University"],
    ),
    ("x1 is a repo in context of _tech_", ["x1 is a repo in context of _tech_"]),
    ("_x1 is a repo_ of mine", ["x1 is a repo"]),
]


@pytest.mark.parametrize(("text", "statements"), SPANS)
def test_a_span_ends_with_its_statement(text, statements):
    """It holds what was said of a dimension, and no word that is the same by chance."""
    assert [text[cue.start : cue.end] for cue in find(text)] == statements


def test_a_sentence_is_quoted_as_it_was_written():
    """Emphasis is seen to for reading only."""
    [cue] = find("Well, _Glitch University_ is a school.")

    assert cue.sentence == "Well, _Glitch University_ is a school."


CONTEXTS = [
    ("gnommoweb is a repo in context of tech", ["+ gnommoweb isa repo of tech"]),
    ("gnommoweb is a repo in context of _tech_", ["+ gnommoweb isa repo of tech"]),
    (
        "gnommoweb is a repo in the context of the Glitch University",
        ["+ gnommoweb isa repo of glitch_university"],
    ),
    ("gnommoweb is a repo in context of 42", []),
    ("gnommoweb is a repo in context of it", []),
]


@pytest.mark.parametrize(("text", "expected"), CONTEXTS)
def test_a_context_is_a_concept_or_nothing_is_stated(text, expected):
    """A statement that no name qualifies cannot be placed, and is not held unqualified."""
    assert told(text) == expected


def test_offsets_point_into_the_composed_text():
    """The span covers the statement, in characters of the NFC text."""
    text = "Cafe\u0301 talk. Well, gnommoweb is a small repo for students."
    [cue] = find(text)

    composed = _fast.scan(text).text
    assert composed[cue.start : cue.end] == "gnommoweb is a small repo"
    assert cue.sentence == "Well, gnommoweb is a small repo for students."


VECTORS = SHARED / "vectors/cues.jsonl"


@pytest.mark.skipif(not VECTORS.exists(), reason="the shared vectors are not here")
def test_shared_vectors_come_out_exactly():
    """Each vector's triples come out with their verdicts, and nothing else does."""
    for vector in map(json.loads, VECTORS.read_text().splitlines()):
        cues = [c for c in find(vector["text"]) if c.verdict is not CueVerdict.DROPPED]
        expected = [
            (Triple(*(t[k] for k in _FIELDS)), t["verdict"]) for t in vector["triples"]
        ]
        assert [(cue.triple, cue.verdict) for cue in cues] == expected, vector["text"]


_FIELDS = ("concept", "parent", "dimension", "is_isa", "negated")
