"""Closed lists of words that decide how a clause is read."""

from __future__ import annotations

from typing import Final

from festinger.core.system.wordsets import phrase_list, word_set

# Also without apostrophe, as people type them in chats. "I'd" becomes "I will", since both
# are wishes or plans, which state nothing.
CONTRACTIONS: Final = {
    form: tuple(words.split())
    for entry in phrase_list("""
        isn't isnt ain't aint: is not, aren't arent: are not, wasn't wasnt: was not,
        weren't werent: were not, don't dont: do not, doesn't doesnt: does not,
        didn't didnt: did not, hasn't hasnt: has not, haven't havent: have not,
        hadn't hadnt: had not, won't wont: will not, wouldn't wouldnt: would not,
        can't cant cannot: can not, couldn't couldnt: could not, shouldn't shouldnt:
        should not, mustn't mustnt: must not, needn't neednt: need not, i'm im: i
        am, i've ive: i have, i'd i'll: i will, we're: we are, we've weve: we have,
        we'd we'll: we will, you're youre: you are, you'll you'd: you will, they're
        theyre: they are, they've theyve: they have, they'll they'd: they will,
        it's: it is, it'll it'd: it will, that's thats: that is, that'll that'd:
        that will, there's theres: there is, he's hes: he is, she's shes: she is,
        he'll he'd: he will, she'll she'd: she will, here's heres: here is, let's
        lets: let us, anymore: any more, what's whats: what is, who's whos: who is,
        where's wheres: where is
    """)
    for forms, _, words in [entry.partition(":")]
    for form in forms.split()
}
"""Contractions and the words that they stand for."""

IS_AFTER_NAME: Final = word_set("""
    not now on at in no currently still already also just actually finally officially
    gone been moved running hosted deployed due called based located owned run maintained
    managed back allergic scheduled stored retired cancelled canceled dead closed over
    down broken fixed my our the a an written built set behind vegan vegetarian veggie coeliac going responsible
""")
"""Words before which `X's` means `X is`; otherwise it is a possessive."""

DETERMINERS: Final = word_set("the our a an")  # "my" names an owner instead
"""Determiners that are removed before a subject or a value."""

TITLES: Final = word_set("mr mrs ms miss dr prof professor")
"""Titles before a person's name; `pieces_of` leaves out the full stop behind one."""

PRONOUNS: Final = word_set("it he she they this that these those")

# "None of the services run on podman" and "this is on podman" name no subject.
FUNCTION_WORDS: Final = word_set("""
    i me we us you he him she her they them it its this these those who whom whose which
    what where when why how there here someone somebody anyone anybody everyone everybody
    nobody something anything everything nothing one ones
    a an the my our your his their some any no none neither every each all both many much more most least few
    several another other others such same only even
    and or but nor so because cause since although though while whereas if unless until till
    than as whether that
    at by for from in into of off on onto out over to toward towards under up upon via with
    within without behind between about above across after against along among around before
    below beside besides beyond despite during except inside like near outside past per
    through throughout
    am is are was were be been being has have had having do does did doing done will would
    can could shall should may might must ought
    not never always already also just now then still yet again too very really quite rather
    soon ever often sometimes usually maybe perhaps please instead else
    got get gets getting go goes going gone went come comes came let lets make makes made
    say says said tell told think thinks know knows want wants need needs use uses used
    runs moved switched put keep keeps seems looks means works lives
    yes ok okay hi hey hello thanks thank sorry oh ah well btw fyi
    today tomorrow yesterday tonight
""")
"""Words that no name contains: subjects and values with one of them are not read."""

# "The lead is away" and "billing's owner is angry" name nobody.
NO_NAMES: Final = word_set("""
    angry happy sad sick ill new old busy free gone away here late early ready unknown unclear
    open vacant missing tired fine good bad great wrong right same different important nice
    sure aware available unavailable responsible broken down up off out taken empty full high
    low slow fast big small cheap expensive tight loose clear public private ours mine yours
    theirs enough correct incorrect true false ok okay better worse done over
""")
"""Adjectives that are no value where a name is expected."""

# "The thing is on kubernetes" is about nothing that another turn could name.
VAGUE_NOUNS: Final = word_set("""
    thing things stuff way ways idea ideas point problem question answer reason rest bit lot
    lots kind sort part side people person guys guy folks man woman half matter fact truth
    trick catch goal plan news issue deal case cases time times day days week weeks result
    difference first second last next best worst latter former following above below
    example test
""")
"""Nouns that are no names by themselves."""

# "Sasha is on holiday", "the team is on fire", "billing is in use".
NO_PLACES: Final = word_set("""
    evening morning afternoon night summer winter autumn spring weekend middle
    call calls holiday holidays vacation leave fire time track hold board schedule sale strike
    duty shift top point air way line paper diet hand purpose average demand target course
    order place progress trouble charge favour favor doubt general control sync touch use
    cost expense expenses disposal discretion mercy convenience peril request leisure
    capacity fault rate
    danger love bed hospital school work home risk best worst least most ease peace loan
    foot drugs it me you us them him her fine hiatus parole pause medication edge par
    autopilot stage tour budget display offer standby repeat brand theme night
    details clouds fear denial luxury poverty exile misery style harmony fritz blink
    record lunch break table phone radio tv road move run nights days lates earlies nights-only late early
""")
"""Nouns that are no place behind `on`, `in` or `at`."""

LANGUAGES: Final = word_set("""
    english german french spanish italian portuguese dutch danish swedish norwegian finnish
    polish czech hungarian romanian catalan welsh irish gaelic russian ukrainian turkish
    greek arabic hebrew hindi chinese mandarin japanese korean latin
""")
"""Languages, which are no place: "the report is in German"."""
PROGRAMMING_LANGUAGES: Final = word_set("""
    python rust golang java kotlin scala ruby php perl javascript typescript swift haskell
    elixir erlang clojure fortran cobol julia lua matlab latex markdown c c++ c# ocaml zig
""")
SUPPLIED: Final = word_set("""
    energy electricity gas broadband internet mortgage pension savings loan policy domain
    domains subscription
""")
"""What is with a provider, and moves to another one: "switched energy to Ecotricity"."""
ACCOUNTS: Final = SUPPLIED | word_set("""
    insurance account accounts contract bank phone mobile hosting booking key keys car dns
    payroll
""")
"""Things that are with whoever provides or keeps them."""
NATIONALITIES: Final = LANGUAGES | word_set("""
    british scottish american canadian mexican brazilian australian indian
    austrian swiss belgian slovak bulgarian croatian serbian persian vietnamese
    european african asian
""")
"""What "the landlord is Greek" says, which is no name."""


def _phrases(text: str) -> frozenset[tuple[str, ...]]:
    """Return the phrases in a list separated by bars."""
    found = [tuple(it.split()) for it in text.replace("\n", "|").split("|")]
    return frozenset(it for it in found if it)


PHRASE_WORDS_MAX: Final = 5
"""Number of words of the longest phrase below."""

# "We agreed that releases are on thursdays", "btw the keys go in postgres".
LEADERS: Final = _phrases("""
    and|but|so|also|ok|okay|oh|ah|yes|yeah|yep|yup|anyway|anyways|btw|fyi|psa|hm|hmm|uh|um|er
    by the way|for your information|for the record|just so you know|just fyi|as i said
    like i said|as you know|as agreed|as discussed|as promised|as announced|thanks|thx|sorry
    quick heads up|small heads up|heads up|good news|bad news
    please note that|please note|note that|pls note|remember that|please remember that
    remember|please remember|keep in mind|keep in mind that|bear in mind|bear in mind that|mind that|we agreed that|we agreed|we decided that|we decided
    we have decided that|we have decided|it is decided that|one more thing|another thing
    first of all|meanwhile|in the meantime|btw also|oh and|ah and|also btw|currently
    at the moment|to be clear|for clarity|in fact|basically|in short|long story short
    in other words|haha|lol|hi all|hey all|hi everyone
""")
"""Phrases that introduce a statement."""
LONE_LEADERS: Final = _phrases("""
    k|well|right|great|good|perfect|cool|nice|hi|hey|hiya|hello|morning|good morning|sure|ja
    headsup|heads-up|news|big news|note|quick note|nb
    reminder|small reminder|friendly reminder|announcement|info|for info|listen|look
    decided|agreed|decision|confirmed|the fact is|fact is|one thing|last thing|small thing
    first|second|secondly|finally|hi both|hello all|hey team|hi team|morning all|all
    everyone|team|folks|guys|quick one|tl;dr|tldr|wow|yay|hooray|phew|ugh
    changes|status|in general|from me|from my side
""")
"""Phrases that introduce a statement if a comma or a colon follows."""

# "As of today billing runs on kubernetes".
CHANGE_LEADERS: Final = _phrases("""
    now|right now|as of now|as of today|as from today|from now on|from today on|from today
    starting today|effective today|effective immediately|effective now|since today
    since yesterday|since this morning|since last week|since this week|since last night
    these days|nowadays|actually|it turned out that|it turned out|turned out
    turns out that|turns out|it turns out that|it turns out|no wait|wait no|scratch that
    since the weekend|since the move|since the migration|after all|as of this week
    as of this morning|as of yesterday|starting this week|from this week on|from then on
    from now|in future|from here on|nvm|never mind|nevermind|strike that|on second thought
    on second thoughts|in the end
""")
"""Phrases that introduce a statement and express a change."""
# "I just finished: billing runs on kubernetes", "correction: …", "no, …".
LONE_CHANGE_LEADERS: Final = _phrases("""
    update|quick update|small update|status update|correction|small correction|quick correction|done|all done|finally done|finished
    i just finished|just finished|we just finished|i have just finished|we have just finished
    i am done|we are done|i finished|we finished|it is done|that is done|job done|wrong
    no|nope|nah|migration done|migration finished|i was wrong|my mistake|my bad|forget that|wait
    change of plan|change of plans|plans changed|plan changed|new plan|slight change
    small change|things changed|it changed|no longer true|change
""")

# "Billing is still running on podman".
ADVERBS: Final = word_set("""
    currently still already also just finally officially really simply basically
    obviously definitely indeed successfully permanently fully completely entirely
    recently happily
""")
"""Words within a verb group that do not change its meaning."""
CHANGE_ADVERBS: Final = word_set("now actually finally again instead")  # "runs now on"
"""Words within a verb group that express a change."""
ANY_ADVERBS: Final = ADVERBS | CHANGE_ADVERBS

# "Billing runs on podman as well, thanks".
TAILS: Final = _phrases("""
    btw|fyi|by the way|too|as well|then|though|currently|at the moment|still|thanks|ok|okay
    right|of course|obviously|lol|haha|yay|please|pls|completely|already
    for the record|just fyi|just so you know|everyone|folks|guys|for a while|for years
    permanently|anyway|indeed|so far|by now|in future|all in|all told|in total|altogether|each
    everywhere|across the board
""")
"""Phrases that follow a statement without belonging to it."""
# "Billing runs on kubernetes these days", "… since the outage".
CHANGE_TAILS: Final = _phrases("""
    now|any more|any longer|no more|these days|nowadays|again|instead|right now|as of now|as of today
    from now on|from today|from today on|as of yesterday|as of this morning|from then on
    as of this week|after all|for good|finally|at last|since yesterday|since today
    since this morning|since last week|since this week|since last night|from this week on
    since the weekend|since the move|since the migration|since last month|since last year
    since the release|since the upgrade|since the outage|since the reorg|from this sprint on
    as of last week|as of last night|starting today|effective today|effective immediately
    actually
""")
"""Phrases that follow a statement and express a change."""
PAST_TAILS: Final = _phrases("""
    last week|yesterday|last night|this morning|this week|last month|last weekend|today|just now
    this afternoon|this evening|over the weekend|at the weekend|on the weekend|last year
    yday|a while ago|some time ago|ages ago|a week ago|two weeks ago|a month ago|months ago
""")
"""Phrases that follow a change and say when it happened. Behind a state they say how
long it lasts, and such a state is not worth keeping: "on call is sasha this week"."""
