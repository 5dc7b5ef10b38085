"""Reading what people say: from a text to the sentences that are worth remembering.

`prose` leaves out code, logs and pasted text, `sentences` splits what is left, `marks` and
`values` say what a sentence is like, `utterances` decides what is kept, and `secrets` cuts
out what must never be stored. Everything here is a pure function of its text.
"""
