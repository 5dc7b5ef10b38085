"""English word lists of the scanner: small and closed, in lower case.

There is no tagger and no model: a word that is on none of these lists counts as a noun
where a noun can occur. The lists therefore contain the words that would otherwise be
mistaken for nouns. They are data; rules that need to distinguish a word find it here.
"""

from __future__ import annotations

from festinger.core.system.wordsets import word_set

# -- Around the cue --------------------------------------------------------------

NEGATIONS = word_set("not never")

#: Adverbs that may occur in a cue without changing it: "is now also a".
ADVERBS = word_set(
    """
    also now still currently already always indeed simply just actually really
    definitely certainly clearly obviously officially formally literally fully wholly
    partly entirely jointly exclusively only too itself today first originally
    ultimately
    """
)

#: "X is often a Y": true of some X at some time.
SOFTENERS = word_set(
    """
    often usually typically generally normally commonly mostly mainly largely
    traditionally frequently basically essentially effectively technically conceptually
    primarily internally
    """
)

#: Words that weaken or retract the statement of a sentence.
HEDGES = word_set(
    """
    maybe perhaps possibly probably presumably supposedly apparently allegedly
    reportedly seemingly arguably ostensibly hopefully hypothetically theoretically
    likely unlikely possible impossible potentially conceivably sometimes occasionally
    rarely seldom hardly scarcely barely almost nearly virtually practically kinda sorta
    unsure unclear uncertain doubtful questionable iirc afaik afaict imo imho think
    thinks thought thinking guess guesses guessed guessing believe believes believed
    assume assumes assumed assuming assumption suppose supposes supposed supposing
    suspect suspects suspected doubt doubts doubted wonder wonders wondered wondering
    hope hopes hoped hoping wish wishes wished imagine imagines imagined imagining
    pretend pretends pretended dream dreams dreamt dreamed expect expects expected seem
    seems seemed appear appears appeared feel feels felt fear fears reckon figure
    figured theory theories hypothesis hypothesise hypothesize rumor rumour rumors
    rumours rumored rumoured legend fiction joke joking jk kidding claim claims claimed
    claiming allege alleges alleged argue argues argued say says said saying tell tells
    told telling hear heard hears ask asks asked asking question questions whether if
    unless lest otherwise example according
    """
)

#: Adverbs behind "not" that make it no denial: "is not necessarily a repo".
HALF_DENIALS = word_set(
    """
    necessarily always really entirely exactly quite strictly truly fully completely
    usually generally normally typically exclusively solely jointly partly wholly
    directly certainly
    """
)

#: Words left of the subject that make the clause a condition or a wish.
CONDITIONALS = word_set("if iff unless whether when whenever wherever until lest once")
#: Words before the month: "in May" is no hedge.
BEFORE_MAY = word_set(
    "in of since last this next until till by early late mid before after"
)
MODALS = word_set(
    """
    may might could would should shall must can cannot ought can't couldn't wouldn't
    shouldn't won't will
    """
)
DENIALS = word_set(
    """
    not never no nobody nothing none neither nor hardly false wrong untrue incorrect
    don't doesn't didn't isn't wasn't aren't haven't hasn't cannot can't ain't deny
    denies denied refute refutes disprove mistake myth lie lies lied anymore dispute
    disputes disputed contradict contradicts contradicted reject rejects rejected ignore
    ignores ignored disregard disregards wrongly falsely mistakenly incorrectly
    """
)
#: Words at the begin of a sentence that make it a question, whatever mark ends it.
AUXILIARIES = word_set(
    """
    is are was were do does did can could will would shall should may might must has
    have had isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't
    wouldn't shouldn't haven't hasn't am
    """
)
WH_WORDS = word_set(
    "what who whom whose which why how where whoever whatever whichever whether"
)

#: Hedges right of the parent: only words about the speaker or a condition: "a repo, I
#: think"; others belong to the definition ("a theory that …").
HEDGES_BEHIND = word_set(
    """
    if iff unless whether maybe perhaps probably possibly presumably supposedly
    apparently allegedly reportedly hypothetically theoretically iirc afaik afaict imo
    imho think guess believe suppose suspect reckon assume unsure jk kidding joking
    claims claimed said says thinks guesses believes theory right correct yes no true
    huh eh sure according opinion told wrote writes heard understand
    """
)
#: The same, only if a comma or dash ends the clause before them: "a repo, right".
ASIDES = word_set(
    """
    right correct yes no true huh eh theory believes thinks says said claims told wrote
    writes heard understand
    """
)

#: Words that are denials behind "not", "no longer" and the like, or on their own.
TRUE_WORDS = word_set("true correct right accurate valid so really")
FALSE_WORDS = word_set("false wrong untrue incorrect")
#: Words before them: "which is wrong", "no longer valid".
SAID_OF = word_set("is was longer")
#: ", isn't it"
TAGS = word_set("isn't doesn't ain't wasn't")
#: Words behind "and" or "but" that continue about the same statement.
POINTING = word_set("that this it which")
#: "Runs on Docker tomorrow", "after the migration", "except in production".
LIMITING = word_set(
    """
    tomorrow tonight starting after before until till during except soon later next
    eventually someday
    """
)

#: "Runs on Fly.io for the demo tenant": true of a part only.
PARTS = word_set("the our a an this that one some its their his her")

# -- Left of the subject ---------------------------------------------------------

#: Introductory words before a statement: "btw gnommoweb is a repo".
OPENING = word_set(
    """
    btw fyi psa nb note remember remind recall reminder info update hi hello hey hiya
    dear ok okay so well yes yeah yep sure also and but actually however moreover
    furthermore additionally besides anyway basically indeed thus therefore hence then
    now today currently recently nowadays meanwhile finally lastly importantly
    specifically clearly obviously please listen look correction fact clarification tldr
    tl dr again oh ah hmm thanks thank cheers fwiw naturally alternatively similarly
    likewise consequently accordingly overall fortunately unfortunately technically
    interestingly notably incidentally apropos attention heads-up important ps
    """
)
GREETINGS = word_set("hi hello hey hiya dear thanks morning")

#: Labels before a colon or a dash that introduce a fact …
LABELS = OPENING | word_set(
    """
    facts background context definition definitions description summary glossary about
    overview abstract hint tip notes remark point first second third conclusion result
    decision news warning caution
    """
)
#: … and those that do not.
FALSE_LABELS = word_set(
    """
    example examples e.g eg sample demo wrong false incorrect invalid bad myth claim
    claims hypothesis rumor rumour question q quiz fiction story scenario joke todo
    fixme test tests input output expected prompt assistant system suppose assume
    requirement requirements option options alternatives goal goals wishlist
    assumption imagine idea proposal draft dream quote said says wrote asks asked untrue
    lie not never theory title subject placeholder template fake
    """
)

#: "Repeat after me: …": the text behind is material of an instruction.
INSTRUCTIONS = word_set(
    """
    repeat correct paraphrase complete continue classify analyze analyse summarise
    answer respond reply pretend act roleplay parse tokenize spell pronounce evaluate
    judge rate grade proofread output imagine say
    """
)

#: Words before "that X is a Y" that present it as known.
FACTIVES = word_set(
    """
    know knows knew known remember remembers note notes noted recall recalls mind learn
    learned learnt fact aware confirmed established realise realize realised realized
    reminder remind discovered proved proven fyi notice noticed true clear obvious
    evident certain sure decided agreed
    """
)
#: "You should note that": a fact, although the clause is a request.
HEEDED = word_set("note noted notes know known remember mind recall notice aware")
#: "I want it confirmed that", "to be proven that", "half true that", "make sure that".
UNSETTLED = word_set(
    "be far half yet remains want wants wanted need needs make making until"
)
#: Words of the first person: the certainty of others counts for less.
SPEAKING = word_set("i i'm we we're it it's am")
#: Words before "that X is a Y" that make it wanted, checked or reported.
UNFACTIVES = word_set(
    """
    so such ensure ensures ensured check checks checked verify verifies verified test
    tests tested assert asserts require requires required requiring sure want wants
    wanted prefer insist insists suggest suggests suggested propose proposes proposed
    recommend recommends recommended imply implies implied mean means meant idea notion
    possibility chance risk story write wrote print returns like forget forgets
    """
)

#: Words that join two clauses, so that a subject may follow.
CLAUSE_JOINS = word_set(
    "and but because since although though while whereas as so where yet"
)
#: Finite verbs, which a clause has before an "and" that begins another clause.
FINITE_VERBS = word_set(
    """
    is are was were isn't aren't am has have had does do did can will must should runs
    belongs lives uses needs contains hosts owns isa ispart i'm you're we're they're
    i've we've
    """
)

DETERMINERS = word_set("a an the")
#: "My dog", "this module", "every service": a reference to resolve, or no name.
POINTERS = word_set(
    """
    my your his her its our their this that these those such same each every any some no
    all both either neither another other many most few several whose which what more
    less own
    """
)

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
ADJECTIVE_ENDINGS = tuple(
    [
        "ed",
        "able",
        "ible",
        "ful",
        "less",
        "ous",
        "ive",
        "ic",
        "-like",
        "-based",
        "-oriented",
        "-side",
        "-aware",
        "-level",
        "-time",
        "-only",
        "-free",
        "-style",
        "-source",
        "-platform",
        "-friendly",
        "-driven",
        "-purpose",
    ]
)
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

#: Abbreviations: a full stop behind them does not end the sentence.
ABBREVIATIONS = word_set(
    "e.g i.e etc vs cf dr mr mrs ms prof inc ltd st no fig approx resp al viz esp incl"
)

#: Words at the end of a line after which its sentence continues …
OPEN_ENDS = word_set(
    """
    is a an the of and or to in on by for with as that which are not but if iff unless
    whether when whenever while because since although though from at into via under
    than my your our their its think thinks believe believes doubt doubts suppose assume
    guess suspect claim claims claimed says said told maybe perhaps probably possibly
    supposedly apparently allegedly don't doesn't isn't can't cannot
    """
)
#: … and words in lower case at the begin of a line that continue a sentence.
OPEN_STARTS = word_set("if iff unless or when whenever of because")

# -- Above a statement -----------------------------------------------------------

#: Words of a question about what follows it; "What is this?" above a page is none.
ABOUT = word_set("following true correct right false")
