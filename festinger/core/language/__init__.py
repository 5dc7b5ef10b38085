"""Read what people say: find the sentences of a text that are worth remembering.

`prose` removes code, logs and pasted text, `sentences` splits the rest, `marks` and
`values` classify sentences and values, `utterances` decides what is kept, and `secrets`
redacts what must not be stored. Everything here is a pure function of its text.
"""
