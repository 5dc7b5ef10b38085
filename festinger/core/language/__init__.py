"""Read what people say: find the sentences of a text that are worth remembering.

`prose` removes code, logs and pasted text, `sentences` splits the rest, `marks` and
`literals` classify sentences and values, `utterances` decides what is kept, and
`statements` reads statements by rules. Everything here is a pure function of its text.
"""
