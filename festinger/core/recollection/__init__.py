"""Select the lines that are put into a prompt.

`query` extracts the terms of the prompt, `index` (of `core.lines`) finds lines that share
them, `scoring` scores these, `gate` decides whether anything is recalled, `choosing` selects
the lines that fit and `quotes` (of `core.lines`) renders them. `concepts` renders the facts
of the graph's salient concepts and selects unknown names to ask about, and `retelling`
checks whether lines of earlier blocks still hold.
"""
