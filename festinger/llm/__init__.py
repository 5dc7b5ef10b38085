"""Clients of language models, one module for each provider's API, and their keys.

The SDKs take a second to import, so they are imported at the first request.
"""
