"""Language models: one module for each provider's API, and the keys they need.

The SDKs take a second to import, so that happens when a model is asked first.
"""
