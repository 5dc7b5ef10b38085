"""From a prompt to the lines that are put into it.

`query` reads what the prompt asks about, `index` finds lines that share its words,
`scoring` weighs them, `gate` decides whether anything is told at all, `choosing` picks
what fits and `quotes` words it. `concepts` tells of the graph's salient concepts, `hints`
says what may be asked about, and `retelling` whether what was told still holds.
"""
