"""The steps that a prompt passes through, one function in a file of its own each.

`path` lists them in order. Each takes the `PromptContext` of the prompt, to which it adds
what it has found out, and the `ShimState`, which all prompts share.
"""
