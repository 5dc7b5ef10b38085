"""Enrichment of requests: parse, query the memory, insert its block, record it."""
