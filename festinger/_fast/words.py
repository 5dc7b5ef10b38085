"""Word lists of the scanner, in lower case.

A word may be in more than one of the four lists. They decide which compounds merge,
which tokens are concepts, and at which words statements are looked for.
"""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Articles, pronouns, prepositions, conjunctions, auxiliaries, wh-words and the
#: like. Never concepts, and they end a run of capitalised words: "The Glitch
#: University" is `glitch_university`. The contractions in "'s" are not listed, since
#: the scanner has dropped the "'s" before it looks. `isa` and `ispart` are notation,
#: not English, and would otherwise merge with capitalised neighbours.
CLOSED_CLASS: frozenset[str] = _words(
    """
    a an the
    i me my mine myself you your yours yourself yourselves he him his himself
    she her hers herself it its itself we us our ours ourselves
    they them their theirs themselves oneself
    this that these those some any no none each every either neither both all
    another other others such same own
    anybody anyone anything everybody everyone everything
    nobody nothing somebody someone something
    about above across after against along amid among around as at before behind
    below beneath beside besides between beyond by despite down during except for
    from in inside into like near of off on onto out outside over per since
    than through throughout till to toward towards under underneath until unto up
    upon via with within without
    and or but nor so yet if because although though unless while whereas whether
    lest plus
    am is are was were be been being
    do does did doing done have has had having
    can could may might must shall should will would ought cannot
    isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't
    can't couldn't mayn't mightn't mustn't shan't shouldn't won't wouldn't oughtn't
    ain't needn't
    i'm i've i'd i'll you're you've you'd you'll he'd he'll she'd she'll
    it'd it'll we're we've we'd we'll they're they've they'd they'll
    that'd that'll there'd there'll who'd who'll who're who've what're
    who whom whose which what when where why how
    whoever whomever whichever whatever whenever wherever however
    not there here then thus hence therefore also too very just only even still
    never ever again
    isa ispart
    """
)

#: Words that often begin a sentence or an instruction, where their capital marks no
#: name: "Please Update gnommoweb". They end a run of capitalised words but are concepts
#: like others.
OPENERS: frozenset[str] = _words(
    """
    please
    add allow apply ask assign assume avoid begin build call change check choose click
    close commit compare configure connect consider contact convert copy create debug
    define delete deploy describe document download edit email enable enter ensure
    explain export fetch fill find fix follow format generate get give go help imagine
    implement import include inform insert install join keep launch let list load look
    make meet merge migrate modify move note notice notify open optimize pick press
    print provide pull push put read refactor remember remove rename replace report
    restart return review rewrite run save say search see select send set show start
    stop suggest summarize suppose switch tell test translate try update upgrade upload
    use using verify visit wait want watch write
    according given unlike regarding
    hello hi hey dear thanks thank sorry yes ok okay sure well maybe perhaps
    now today yesterday tomorrow tonight currently recently lately finally later once
    meanwhile sometimes usually often always
    """
)

#: Words from which a cue pattern can be recognised ("X is a Y", "X runs on Y").
#: Their positions are what `Scan.cues` lists. The bare verbs and the negated copulas
#: are here because a denial needs them: "gnommoweb doesn't run on docker".
CUE_WORDS: frozenset[str] = _words(
    """
    is are isn't aren't isa ispart part kind type instance member
    belong belongs run runs hosted owned deployed contained
    """
)

#: Words of the cue patterns, except for the copulas and verbs that most begin with, and
#: the adverbs that may stand within. A cue word that is none of these and is followed
#: by none of these, nor by an adverb in "ly", leads to no statement.
PATTERN_WORDS: frozenset[str] = _words(
    """
    a an the by in of on to
    kind type instance part member hosted owned deployed contained
    isa ispart
    no not never longer
    already also always first indeed itself just now often only still today too
    """
)

LISTED: frozenset[str] = CLOSED_CLASS | OPENERS | CUE_WORDS | PATTERN_WORDS

#: Elements whose content is not prose, or is quoted, or is our own output.
ELEMENTS = frozenset(
    [
        "blockquote", "code", "del", "document", "document_content", "documents",
        "example", "examples", "kbd", "pre", "q", "quote", "recollection", "s", "samp",
        "script", "strike", "style", "svg", "template", "tool_result", "tool_results",
    ]
)  # fmt: skip
