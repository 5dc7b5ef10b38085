"""English word lists of the scanner for subjects and parents, in lower case.

They are data, like those of `words`, and continue them.
"""

from __future__ import annotations

from festinger.core.system.wordsets import word_list, word_set

# -- Subjects --------------------------------------------------------------------

#: Words that the tokeniser takes for nouns, but that are no subjects.
NO_SUBJECTS = word_set(
    """
    one ones thing things stuff way part kind type sort rest latter former following
    above below else only main first second third last next previous current best worst
    more less most least many few lot lots bit something nothing case example examples
    goal aim idea purpose point reason result problem question answer issue step key
    difference advantage disadvantage benefit drawback downside trick catch everyone
    everybody everything anything anyone here there yes no none today tomorrow yesterday
    now then finally name title value default note warning other another output input
    bottom top end start begin beginning good bad better worse great nice true false
    please also e.g i.e etc however instead otherwise rather usually often sometimes
    whatever user users author speaker reader someone who whoever life today's
    alternative option choice solution approach chapter section page figure table
    """
)
#: Closed-class words that precede an adjective: "a very old library".
INTENSIFIERS = word_set("very too")

#: Words that make "W NOUN is a …" an instruction or a remark, not a name.
NO_FIRST_WORDS = word_set(
    """
    make let ensure use try keep see say tell give get help imagine suppose assume think
    know want need like love hate hope wish please using having being doing making
    getting going another other next last first second third best worst main only more
    less most least many few several much enough such same different good great better
    bad nice new old big small certain various whole entire full pretty quite rather
    very really thinking choosing adding writing reading calling creating running
    setting passing returning installing deploying building scaling switching moving
    keeping finding learning understanding knowing once while since
    """
)

# -- Parents ---------------------------------------------------------------------

#: Heads that are no classification: evaluations, quantities, words about words.
VAGUE = word_set(
    """
    bit lot lots number example examples trademark trademarks list source problem
    problems way ways pity shame test must idea ideas good thing things stuff one ones
    couple few little variety series range majority handful dozen dozens ton tons bunch
    pair amount quantity aspect junk crap garbage trash cake advice matter fact reason
    result results step goal goals challenge priority risk possibility chance mistake
    error errors lie myth secret story fan mess pain disaster joke nightmare dream
    beauty beast success failure winner killer hit miss charm bummer delight pleasure
    breeze plus minus blessing curse treat guy choice option concern issue issues
    question deal no-brainer waste drag burden response consequence factor benefit
    advantage disadvantage downside drawback upside alternative replacement prerequisite
    necessity difference combination mixture mix synonym abbreviation acronym shorthand
    word term name names placeholder reference link kind type sort case point start end
    beginning requirement requirements need favorite favourite match fit candidate while
    time times moment day year years work wip progress hassle hack crime sin surprise
    miracle mystery opportunity reminder warning hint note caveat limitation constraint
    trade-off tradeoff compromise debate subject topic area key default cause effect
    impact outcome sign symptom indication indicator measure sense nuisance bonus gem
    star hero legend genius idiot fool liar relief honor honour privilege lifesaver
    game-changer bottleneck blocker showstopper nogo no-go go yes no maybe percentage
    fraction portion half third quarter minority total sum contrast contradiction
    paradox coincidence consensus mouthful click order rule attempt effort try shot answer reply
    start-up stopgap workaround fluke given giveaway better worse best worst more less
    variation
    """
)
#: "A hundred times faster", "a lot faster": quantities, not classifications.
QUANTITIES = word_set("bit lot hundred thousand million billion ton couple few dozen")
#: "The RISC-V ISA specification": "ISA" is an instruction set or a bus here.
NOTATION_NOISE = word_set(
    """
    specification specifications spec extension extensions design manual simulator bus
    card cards slot slots level account
    """
)
#: Pronouns behind a verb, which end a clause.
OBJECTS = word_set("it them him her us me you")
#: Nouns that have no lasting parts or members, and on which nothing runs.
VAGUE_WHOLES = word_set(
    """
    plan deal job reason problem problems solution issue process effort story fun charm
    appeal port ports schedule time startup boot demand push top bottom day days weekend
    weekends monday tuesday wednesday thursday friday saturday sunday mondays tuesdays
    wednesdays thursdays fridays saturdays sundays everything life
    past future present history rest others people someone everyone same category kind
    type class group list set following above below purpose basis average autopilot
    empty fumes electricity behalf battery mains coffee accident mistake chance
    weekdays holidays christmas easter january february march april may june july august
    september october november december today tomorrow tonight q1 q2 q3 q4 quarter year
    month week morning evening night commit commits merge merges push pushes login logout
    click save exit error failure success release pr request
    """
)
#: Relational nouns, as in "a set of practices": "of Z" does not name the dimension.
RELATIONAL = word_set(
    """
    set list group part member component module version fork copy subset superset
    implementation example number condition collection family class layer element piece
    section portion aspect feature extension variant clone mirror wrapper port subclass
    instance kind type form sort means system process method result series combination
    product property function act art practice discipline study science measure degree
    level unit body network sequence mixture release edition branch child parent owner
    author creator maintainer user representation description definition abstraction
    model view mode way field
    """
)
#: … and these are members of a Z with a name, too.
MEMBER_HEADS = word_set("component part member module")
#: Transparent nouns, as in "a form of reusability": the head follows the "of".
TRANSPARENT = word_set(
    "piece form sort variety species breed flavor flavour genre subtype"
)

#: Nouns that may be defined behind "the": "is the practice of …".
GENERA = word_set(
    """
    practice process discipline art act ability capability capacity science study
    technique method methodology approach activity property degree measure concept
    principle philosophy strategy
    """
)

#: Words that negate the following noun: a former repo is no repo.
PRIVATIVES = word_set(
    """
    former ex fake so-called would-be potential possible alleged pseudo aspiring future
    hypothetical imaginary failed non supposed purported presumed prospective fictional
    fictitious mock dummy past onetime one-time wannabe putative
    """
)

#: Adjectives that often end a phrase.
ADJECTIVES = word_set(
    """
    small big large huge tiny little great good bad better best worse worst new old
    young fast slow quick easy hard simple complex free open closed public private local
    remote global main major minor important critical central common popular useful
    powerful lightweight heavy light high low long short full empty single double
    multiple different similar same certain specific general generic modern legacy
    current recent next last first second third final initial early late red green blue
    black white happy sad nice cool awesome amazing terrible broken dead alive down up
    busy ready available unavailable possible impossible necessary sufficient able
    unable true false right wrong correct incorrect valid invalid safe unsafe secure
    insecure stable unstable experimental deprecated obsolete mature robust reliable
    flexible scalable portable extensible distributed managed hosted shared dedicated
    native virtual physical static dynamic stateless stateful asynchronous synchronous
    compatible annoying weird strange expensive cheap tricky messy lazy crazy pretty
    quite very rather really so too more most less least much many well official
    unofficial internal external automated automatic manual real-time cross-platform
    fully highly functional visual digital optional additional formal informal
    conditional relational hierarchical graphical mathematical historical political
    medical legal social commercial traditional typical practical logical minimal
    maximal optimal essential partial universal temporal temporary arbitrary primary
    secondary ordinary proprietary auxiliary faster slower bigger smaller larger easier
    harder older newer cheaper lighter heavier stronger weaker simpler higher lower
    longer shorter safer special original finite infinite immutable mutable concrete
    abstract anonymous opaque raw custom unique comprehensive architectural cultural
    technical state-of-the-art nice-to-have efficient resilient convenient consistent
    persistent independent transparent intelligent elegant clean concise pure rich smart
    friendly easy-to-use strict
    """
)
#: Endings of words that only precede a noun.
ADJECTIVE_ENDINGS = word_list("""
    ed able ible ful less ous ive ic -like -based -oriented -side -aware -level
    -time -only -free -style -source -platform -friendly -driven -purpose
""")
#: Nouns that end like adverbs.
LY_NOUNS = word_set(
    "family assembly reply supply anomaly fly butterfly ally rally belly monopoly"
)
#: Words that end a noun phrase although the tokeniser takes them for nouns.
ENDS_PHRASE = word_set(
    """
    now today tomorrow yesterday currently already always once twice anyway anymore
    please btw lol though however instead together apart away back else itself himself
    herself themselves called named titled dubbed known aka written built made run runs
    driven given shown seen done held kept sent left found meant able capable similar
    such responsible suitable available wrote went came became gave took last early late
    onwards forward compared according due using via consists uses has contains provides
    allows lets works helps makes supports iff
    """
)
#: Those that may also precede the noun: "a freely available tool".
ATTRIBUTES = word_set(
    "known written built given similar suitable available capable able responsible"
)
#: "-ing" words that are nouns, so that a phrase can continue with them.
GERUND_NOUNS = word_set(
    """
    engineering computing testing monitoring balancing learning programming scaling
    networking hosting billing scripting trading processing messaging streaming caching
    logging tracing routing scheduling building marketing training meeting setting
    string thing ring king spring wing banking gaming modeling modelling mining indexing
    parsing rendering typing licensing clustering packaging debugging profiling
    manufacturing publishing housing ceiling morning evening painting drawing recording
    pricing offering provisioning reasoning planning bearing tooling searching ranking
    reporting accounting shipping tracking warehousing load-balancing auto-scaling
    autoscaling outsourcing consulting staging versioning encoding embedding hashing
    sharding polling queueing queuing tunneling proxying filtering editing listing
    casting linting formatting templating timing
    """
)
#: Prepositions that mark a preceding "-ed" word as a participle: "managed by".
PARTICIPLE_PREPOSITIONS = word_set(
    "by on in to with for from as at into via under over through upon around about"
)
#: Nouns that end like participles.
ED_NOUNS = word_set("seed feed need speed bed shed breed weed reed deed embed thread")
