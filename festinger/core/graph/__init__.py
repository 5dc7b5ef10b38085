"""Concepts, statements and the gate that judges them."""
