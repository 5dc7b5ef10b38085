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

# -- Ends of sentences -------------------------------------------------------------

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
