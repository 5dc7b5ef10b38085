"""Redact secrets in a text before any part of it is stored, shown or sent.

Two kinds are detected: values with a recognisable form (keys of known services, private
keys, passwords in addresses, long random strings), by detect-secrets' detectors and
patterns of our own; and values announced by a preceding word ("the PIN is …").
"""

from __future__ import annotations

import re
from typing import Final

from festinger.core.system.keyforms import is_known_form, is_random
from festinger.core.system.wordsets import phrase_list, word_set

SECRET: Final = "[secret]"
"""Replacement of a redacted secret."""

# Every line that the slower patterns below can match contains one of these. They match
# `_folded` text: ignoring case takes more than twice the time.
_HINTS: Final = phrase_list("""
    pass, pw, pin, puk, secret, token, key, login, log-in, logon, logs, logged, log
    in, sign-in, signin, sign in, wifi, wi-fi, credential, creds, code, alarm,
    combination, cvv, otp, safe, lock, box, licen, vault, auth, kennwort, contrase,
    wachtwoord, hasło, senha
""")
# `//alice:` and what is between it and the `@` of `postgresql://alice:s3cret@db`.
_URL_PASSWORD: Final = re.compile(r"(?<=://)([^\s/:@]+):([^\s/@]+)(?=@)")
# name/password@host and name:password@host, as database clients write them.
_LOGIN: Final = re.compile(
    r"(?<![\w/:@.-])[\w.-]{1,64}[/:](?P<value>[^\s/@]{5,128})@(?=[\w-]+[.:\w-]*)"
)
# Up to the end of the text if the end of the key was not pasted.
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z ]*-----|\Z)",
    re.DOTALL,
)
_LONG_MIN: Final = 16  # as `is_random` demands
# A run of the characters of Base64, URLs and passwords.
_LONG: Final = re.compile(rf"[\w+/=.~!#$%^&*-]{{{_LONG_MIN},}}", re.ASCII)

# Keywords after which any value that is no everyday word is a secret.
_STRONG: Final = (
    r"(?:pass(?:word|phrase|code|wd)?s?|pwd|pw|pins?|puk|cvv|otp|secrets?|credentials?|creds"
    r"|log-?ins?|logons?|(?:log|sign) in (?:with|as)|(?:wi-?fi|wlan|router) (?:keys?|codes?)|log(?:s|ged)? (?:you|me|us|him|her|them) (?:in|out|on)|sign-?ins?|(?:api|access|auth|bearer|refresh|session|bot|vault|deploy|secret)[ _-]?"
    r"(?:keys?|tokens?|codes?)|kennwort|passwort|mot de passe|contrase(?:ñ|n)a|wachtwoord"
    r"|hasło|senha)"
)
# Keywords after which only a value that looks like a secret is one.
# What must not precede "code" is checked behind its first letter, which most words do not
# begin with.
_WEAK: Final = (
    r"(?:c(?<!zip c)(?<!post c)(?<!postal c)(?<!error c)(?<!status c)(?<!exit c)(?<!area c)(?<!country c)(?<!http c)(?<!return c)"
    r"(?<!dress c)(?<!promo c)(?<!source c)(?<!colour c)(?<!color c)odes?|keys?|tokens?|alarms?|combination|(?:pad)?locks?(?= (?:is|are|to)\b| ?[:=])|lock ?box|key ?box|key ?safe|safe|licen[cs]e)"
)
# What may stand in between: "the PIN for the back door is …", within one sentence.
_GAP: Final = r"(?:[^\n.!?;]{0,48}?)"
# After one of these, or right behind the keyword, digits alone are a secret, too.
_LINKS: Final = word_set("""
    is are was be becomes became stays remains now from : = -> => – — - to ist est es 's s
    code pin number no nr
""")
# `DB_PASSWORD=…`, `"api_key": "…"`, also with the name of a variable around the keyword.
_ASSIGNED: Final = re.compile(
    r"\b[\w.-]{0,64}?(?:pass(?:word|wd)?|pwd|secret|token|api_?key|access_?key|private_?key|_key|auth)"
    r"[\w.-]{0,64}+\s*+(?P<sign>[:=])\s*(?P<value>[\"'`]?[^\s,;\"'`]{4,})",
)
# Spelt or grouped digits: "the code is four seven one two", "PIN 12 34 56".
_SPELT: Final = re.compile(
    rf"\b(?:{_STRONG}|{_WEAK})\b{_GAP}\s"
    r"(?P<value>(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|hash"
    r"|pound|star|asterisk)[\s,-]*){3,}|\d{1,4}(?:[ -]\d{1,4})+\b)",
)
# The rest of the line behind a keyword, of which each token is looked at.
_GUARDED: Final = re.compile(
    rf"\b(?:(?P<strong>{_STRONG})|{_WEAK})\b(?=(?P<rest>[^\n]{{0,120}}))"
)
# The number at the end of a clause about where a key is: "lockbox by the gate, 4471".
_BOXED: Final = re.compile(
    r"\b(?:key|lock) ?(?:safe|box)\b[^\n.!?]{0,80}?[,:;–—-]\s*(?P<value>\d{4,8})(?=\W*(?:$|[,;.!?]))"
)
_KEYWORD: Final = re.compile(rf"(?:{_STRONG}|{_WEAK})[:=]?")
# Requests not to keep a text: the same line probably contains the secret.
_UNKEPT: Final = re.compile(
    r"\b(?:not|n.t|dont|never)(?: to be| ever)? (?:write|written|save|saved|store|stored|keep|kept|log|repeat|share|post|commit|lose|forget)\b"
    r"(?: (?:this|that|it|them|those))?(?: down| anywhere| please)?",
)
# A password or a phrase of plain words, behind a colon or an equals sign.
_WORDS: Final = re.compile(
    r"\b(?:pass(?:word|wd|code)?|pwd|pw|kennwort|passwort|wachtwoord|contrase(?:ñ|n)a)\s*[:=]\s*"
    r"(?P<value>(?P<first>[^\s,;.\[]{4,}))"
    r"|\bpass ?phrase\b\s*(?:[:=]|\b(?:is|be|becomes)\b|(?:will|gonna|going to) be\b)\s*(?P<phrase>[^\n,;.\[]{4,})",
)
# One word at the end of a clause: "the wifi password is swordfish".
_NAMED: Final = re.compile(
    r"\b(?:pass(?:word|code)|pwd|pw|kennwort|passwort|wachtwoord|contrase(?:ñ|n)a)"
    r"(?: (?:for|of|on|at|to|in) (?:(?:the|my|our|your) )?[\w-]+(?: (?!is\b|was\b)[\w-]+)?| there| here)?"
    r"(?: is| was|.?s|(?: is)? (?:will|gonna|going to|to) be| becomes| became| stays| remains)(?: now| still)? "
    r"(?P<value>[^\s,;.\[]{4,64})(?=[.!]?\s*(?:$|[,;)]| and | but | for | on the | at ))"
)
# "Use hunter2 as the password", "Marigold-8 is our new password".
_BEFORE: Final = re.compile(
    r"(?<!\S)(?P<value>[^\s,;:\[]{5,64}) (?:is|as|was|for) (?:(?:the|my|our|your|a|his|her|their) )?(?:[\w-]+ ){0,2}"
    r"(?:pass(?:word|code|phrase)|pwd|pw)\b"
)
# "admin: admin / Yonder-5512", "user name: bob / zebra99x", "bob@example.com / zebra99x".
_PAIRED: Final = re.compile(
    r"(?:\b(?:sys)?admin(?:istrator)?|\b(?:user ?name|user|account|root|cred(?:ential)?s?) ?[:=] ?[\w.@-]+|[\w.+-]{1,64}@[\w.-]{1,64})"
    r"(?: ?[:=])?(?: [\w.@-]+)? ?/ (?P<value>[^\s,;/\[][^\s,;/]{4,63})"
)
_TICKET: Final = re.compile(r"[A-Z]{2,}-\d+|[A-Z]{2,}\d+")
# What stands behind "password:" in documentation and messages, and is none.
_NO_VALUES: Final = word_set("""
    none required wrong expired reset below attached same unchanged empty unknown
    missing optional hidden private change changed invalid string true false null please
    correct incorrect right fine good bad weak strong short long safe unsafe public shared
    random secret known easy hard gone there here this that what mandatory default broken
    okay ours mine yours theirs enough more less different similar outdated
    stolen lost found kept sent shown taken given written forgotten chosen long-lived
    case-sensitive one-time ready back over safer stronger weaker
""")
_NO_PASSWORD: Final = re.compile(r".*(?:ed|ing|ly|able|ible)$")
"""Words that tell of a password instead of being one."""
_ALIKE: Final = str.maketrans("\u0130\u0131\u017f", "iis")
"""Letters that are the same as others if case is ignored, but not in lower case."""
_NEAR_TOKENS: Final = 6
"""Number of tokens behind a keyword within which a bare number is its value."""
# A line without any of these has no value that the patterns could find.
_VALUE: Final = re.compile(
    r"[:=\d!#$%^&*+?~]|\bphrase|pass(?:word|code|phrase|wort)|\bpwd?\b|kennwort|wachtwoord|contrase|\b(?:one|two|three|four|five|six|seven|eight|nine)\b"
)
# Quotes and brackets are not part of a value.
_TOKEN: Final = re.compile(r"[^\s,;()\[\]{}\"'`“”‘’<>]+")


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[secret]`.

    Args:
        text: Any text; the running time is linear in its length.
    """
    if "-----BEGIN" in text:
        # Whole keys first: their lines would look like many random strings.
        text = _PRIVATE_KEY.sub(SECRET, text)
    if "://" in text:
        text = _URL_PASSWORD.sub(SECRET, text)
    if "@" in text:
        text = _LOGIN.sub(_without_password, text)
    small = _folded(text)
    hints = [hint for hint in _HINTS if hint in small]
    # The expression would search each word.
    long = max(map(len, text.split()), default=0) >= _LONG_MIN and _LONG.search(text)
    paired = "/ " in text
    if not (hints or long or paired):
        return text
    lines = text.split("\n")
    for at, (line, low) in enumerate(zip(lines, small.split("\n"), strict=True)):
        spans = _random(line) if long else set()
        # Both are cheaper than the patterns, and rule most lines out.
        if any(hint in low for hint in hints) and _VALUE.search(low):
            spans |= _announced(line, low)
        if paired:
            spans |= {
                _trimmed(line, *match.span("value"))
                for match in _PAIRED.finditer(low)
                if _is_value(match["value"])
                and not _TICKET.fullmatch(line, *match.span("value"))
            }
        if spans:
            lines[at] = _cut(line, spans)
    return "\n".join(lines)


def _without_password(match: re.Match[str]) -> str:
    """Return a login without its password; names and paths before an @ are kept."""
    if not _is_guarded(match["value"], strong=True):
        return match[0]
    start = match.start("value") - match.start()
    return f"{match[0][:start]}{SECRET}@"


def _folded(text: str) -> str:
    """Return a text in lower case, with as many characters."""
    return text.translate(_ALIKE).lower()


def _announced(line: str, small: str) -> set[tuple[int, int]]:
    """Return the spans of secrets that a preceding keyword announces.

    Args:
        small: The same, folded.
    """
    spans: set[tuple[int, int]] = set()
    # Most lines have neither a sign nor a whole keyword, and the patterns are slow.
    has_sign = ":" in line or "=" in line
    for match in _ASSIGNED.finditer(small) if has_sign else ():
        start, end = _trimmed(line, *match.span("value"))
        value = line[start:end]
        # Prose contains no equals signs: the text behind one is the value.
        is_set = match["sign"] == "=" and value.lower() not in _NO_VALUES
        if is_set or _is_guarded(value, least=4, strong=True):
            spans.add((start, end))
    # Each keyword of the line, with what follows it.
    near = [
        (*match.span("rest"), bool(match["strong"]))
        for match in _GUARDED.finditer(small)
    ]
    if near:
        spans |= {match.span("value") for match in _SPELT.finditer(small)}
        spans |= {match.span("value") for match in _BOXED.finditer(small)}
    if near and _UNKEPT.search(small):
        # The whole line, as if it stood behind an unambiguous keyword.
        near.append((0, len(line), True))
    for begin, limit, strong in near:
        # Right behind the keyword, or a word such as "is": then digits alone are a value.
        linked = begin > 0
        for at, token in enumerate(_TOKEN.finditer(line, begin, limit)):
            start, end = _trimmed(line, *token.span())
            word = line[start:end]
            if (
                _is_guarded(word, strong=strong)
                or (linked and at < _NEAR_TOKENS and _is_number(word))
                or (linked and strong and _is_value(word))
            ):
                spans.add((start, end))
            linked = bool(
                _KEYWORD.fullmatch(small, *token.span())
                or token[0].lower() in _LINKS
                or token[0].endswith((":", "="))
            )
    for match in _NAMED.finditer(small):
        if match["value"] not in _NO_VALUES and not _NO_PASSWORD.match(match["value"]):
            spans.add(match.span("value"))
    spans |= {
        match.span("value")
        for match in _BEFORE.finditer(small)
        if _is_value(match["value"])
    }
    for match in _WORDS.finditer(small) if has_sign or "phrase" in small else ():
        if match["phrase"]:
            spans.add(match.span("phrase"))
        elif match["first"] not in _NO_VALUES:
            spans.add(match.span("value"))
    return spans


def _random(line: str) -> set[tuple[int, int]]:
    """Return the spans of long random strings and of keys with a known form."""
    spans = set()
    for match in _LONG.finditer(line):
        start, end = match.span()
        # Of NAME=value only the value is redacted.
        start, end = _trimmed(line, max(start, line.rfind("=", start, end - 3)), end)
        if is_random(line[start:end]) or is_known_form(line[start:end]):
            spans.add((start, end))
    return spans


def _is_guarded(token: str, least: int = 5, *, strong: bool = False) -> bool:
    """Return whether a token near a keyword looks like a secret.

    Args:
        strong: Whether the keyword is unambiguous; if not, tokens that may be the name
            of a host or a branch are excluded as well.
    """
    # Times, dates, amounts and addresses stand near keywords in plain prose.
    if len(token) < least or _HARMLESS.fullmatch(token):
        return False
    if not strong and _NAMELIKE.fullmatch(token):
        return False
    digits = sum(it.isdigit() for it in token)
    letters = sum(it.isalpha() for it in token)
    # At an end they are punctuation: "commit!!" is no password.
    symbols = letters and any(it in "!#$%^&*+=?~" for it in token.strip("!?#"))
    # Letters and a symbol, or letters and digits.
    return bool(symbols) or (digits >= 2 and letters >= 2)


def _is_number(token: str) -> bool:
    """Return whether a token is a number like a code: at least four digits, no year."""
    digits = sum(it.isdigit() for it in token)
    if digits < 4 or any(it.isalpha() for it in token):
        return False
    # A year is left in the text, as "since 2019".
    return not _HARMLESS.fullmatch(token) or (
        token.isdigit() and not _YEAR.fullmatch(token)
    )


def _is_value(word: str) -> bool:
    """Return whether a word right behind "the password is" is the password."""
    return (
        len(word) >= 4
        and any(it.isdigit() for it in word)
        and not _HARMLESS.fullmatch(word)
    )


_YEAR: Final = re.compile(r"(?:19|20)\d\d")
# What prose near a keyword has: "the key meeting is at 10:30".
_HARMLESS: Final = re.compile(
    r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:am|pm)?"  # a time
    r"|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|(?:19|20)\d\d"  # a date
    r"|[$€£]?\d+(?:[.,]\d+)*(?:[a-zµ%°]{1,3}|min|mins|days|hours)?[€$£]?"  # an amount
    r"|v?\d+(?:\.\d+)+[\w.-]{0,4}"  # a version
    r"|(?:https?://|www\.|/|\./|~/)\S*|\S+@\S+|#[\w-]*[a-z][\w-]*"  # an address, a path, a channel
    r"|\d+(?:[.,]\d+)*/[a-z]+|[a-z_]+=[a-z_]+"  # a rate, a form: 600/min, key=value
    r"|[\w-]+\.[a-z]{2,6}|" + re.escape(SECRET),  # a file, a domain
    re.IGNORECASE,
)
_NAMELIKE: Final = re.compile(
    r"[a-z]+(?:[-_.][a-z]+)*[-_.]?\d{1,3}"  # a host, a branch: db-1, sdb-eu-2, py312
    r"|[a-z][a-z0-9]*(?:[-_./][a-z][a-z0-9]*)+",
    re.IGNORECASE,
)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the quotes and the punctuation around it."""
    while start < end and text[start] in "\"'`“‘(=:":
        start += 1
    while start < end and text[end - 1] in "\"'`”’).,;:?…":
        end -= 1
    return start, end


def _cut(text: str, spans: set[tuple[int, int]]) -> str:
    kept, position = [], 0
    # Spans of several patterns may overlap: all of it goes, and stands for one secret.
    for start, end in sorted(spans):
        if end <= position or start == end:
            continue
        if start >= position:
            kept += [text[position:start], SECRET]
        position = end
    return "".join([*kept, text[position:]])
