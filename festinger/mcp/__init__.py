"""Model Context Protocol server: the memory as tools, resources and prompts.

It is a client of the memory server over gRPC, like the console and the shim, and keeps
nothing itself.
"""
